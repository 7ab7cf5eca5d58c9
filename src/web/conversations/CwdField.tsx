/** A directory: typed with completion, or picked from those used before. Directories only. */
import { Folder, History } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import type { Directories } from '../state/file-commands.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showName } from '../transcript/ansi.ts';
import { classes } from '../ui/classes.ts';
import { middleCut } from '../ui/format.ts';
import styles from './CwdField.module.css';
import { type DirectoryChoice, directoryChoices, freshChoices, parentOf } from './directory-choices.ts';

interface CwdFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (cwd: string) => void;
}

export function CwdField({ label, value: given, onChange }: CwdFieldProps) {
  const id = useId();
  /** While the cursor is in it, the field keeps its text: a directory that the server proposes late must not join what is being typed. */
  const [held, setHeld] = useState<string | null>(null);
  const value = held ?? given;
  const [isOpen, setOpen] = useState(false);
  /** Opened and not typed in yet: everything is offered, whatever the field holds. */
  const [isFresh, setFresh] = useState(true);
  const [chosen, setChosen] = useState(-1);
  const listed = useListed(isOpen, value);
  const offered = isFresh ? freshChoices(value, listed) : directoryChoices(value, listed);

  function change(path: string): void {
    setFresh(false);
    setChosen(-1);
    setHeld((before) => (before === null ? null : path));
    onChange(path);
  }

  function take(choice: DirectoryChoice, isGoingOn: boolean): void {
    change(isGoingOn ? `${choice.path.replace(/\/$/, '')}/` : choice.path);
    setOpen(isGoingOn);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const current = offered[chosen];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const by = event.key === 'ArrowDown' ? 1 : -1;
      const count = Math.max(1, offered.length);
      setChosen(chosen < 0 ? (by > 0 ? 0 : count - 1) : (chosen + by + count) % count);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    } else if (event.key === 'Enter' && current !== undefined) {
      event.preventDefault();
      take(current, false);
    } else if (event.key === 'Enter') {
      setOpen(false);
    } else if (event.key === 'Tab' && !event.shiftKey && isOpen && !isFresh) {
      const best = current ?? offered.find((one) => one.kind === 'inside');
      if (best === undefined || value.endsWith('/')) return;
      event.preventDefault();
      take(best, true);
    }
  }

  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={`${id}-input`}>
        <Folder size={14} aria-hidden />
        {label}
      </label>
      <div className={styles.box}>
        <input
          id={`${id}-input`}
          value={value}
          role="combobox"
          aria-expanded={offered.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={offered[chosen] === undefined ? undefined : `${id}-${chosen}`}
          placeholder={en.empty.cwd}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          onFocus={() => {
            setHeld(given);
            setFresh(true);
            setChosen(-1);
          }}
          onClick={() => setOpen(true)}
          onBlur={() => {
            setHeld(null);
            setOpen(false);
          }}
          onChange={(event) => {
            change(event.target.value);
            setOpen(true);
          }}
          onKeyDown={onKeyDown}
        />
        {offered.length > 0 && (
          <div id={id} role="listbox" aria-label={en.directory.label} className={styles.list}>
            {offered.map((choice, at) => (
              <Choice
                key={`${choice.kind}:${choice.path}`}
                id={`${id}-${at}`}
                choice={choice}
                isChosen={at === chosen}
                onPick={() => take(choice, choice.kind === 'inside')}
              />
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly choice: DirectoryChoice;
  readonly isChosen: boolean;
  readonly onPick: () => void;
}

function Choice({ id, choice, isChosen, onPick }: ChoiceProps) {
  const Icon = choice.kind === 'recent' ? History : Folder;
  return (
    <button
      id={id}
      type="button"
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className={classes(styles.choice, isChosen && styles.chosen)}
      title={showName(choice.path)}
      ref={(element) => {
        if (isChosen) element?.scrollIntoView({ block: 'nearest' });
      }}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      <Icon size={14} aria-hidden className={styles.icon} />
      <span className={styles.name}>{showName(middleCut(choice.name, 60))}</span>
    </button>
  );
}

/** The directory that completes the text; the answer before stays until the next one is there. */
function useListed(isOpen: boolean, value: string): Directories | null {
  const { listDirectories } = useCommands();
  const [listed, setListed] = useState<Directories | null>(null);
  const parent = parentOf(value);
  useEffect(() => {
    if (!isOpen) return;
    let isCurrent = true;
    void listDirectories(parent).then((answer) => {
      if (!isCurrent) return;
      if (answer.ok) setListed(answer.value);
      else setListed((before) => (before === null ? null : { ...before, directories: [] }));
    });
    return () => {
      isCurrent = false;
    };
  }, [isOpen, parent, listDirectories]);
  return isOpen ? listed : null;
}

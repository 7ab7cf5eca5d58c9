/** The list above the message box: files and directories apart, or commands. The box keeps the focus. */
import { File, Folder, SlashSquare } from 'lucide-react';
import { en } from '../strings/en.ts';
import { showName } from '../transcript/ansi.ts';
import { classes } from '../ui/classes.ts';
import { optionId } from './option-id.ts';
import styles from './SuggestList.module.css';
import type { Suggestion, Suggestions } from './use-suggestions.ts';

interface SuggestListProps {
  readonly id: string;
  readonly suggestions: Suggestions;
  readonly chosen: number;
  readonly onPick: (one: Suggestion) => void;
}

const GROUPS = [
  { kind: 'command', title: en.suggest.commands },
  { kind: 'file', title: en.suggest.files },
  { kind: 'directory', title: en.suggest.directories },
] as const;

const WORDS = {
  files: { name: en.suggest.files, nothing: en.suggest.noFiles, keys: en.suggest.keys },
  commands: { name: en.suggest.commands, nothing: en.suggest.noFiles, keys: en.suggest.keysRun },
  history: { name: en.suggest.history, nothing: en.suggest.noHistory, keys: en.suggest.keysHistory },
} as const satisfies Record<Suggestions['kind'], object>;

export function SuggestList({ id, suggestions, chosen, onPick }: SuggestListProps) {
  const { items, kind, isPartial } = suggestions;
  return (
    <div className={styles.popup}>
      <div id={id} role="listbox" aria-label={WORDS[kind].name} className={styles.list}>
        {GROUPS.map(({ kind: group, title }) => {
          const rows = items.map((item, at) => ({ item, at })).filter(({ item }) => item.kind === group);
          if (rows.length === 0) return null;
          return (
            // biome-ignore lint/a11y/useSemanticElements: a group inside a listbox is no fieldset
            <div key={group} role="group" aria-label={title}>
              <div className={styles.title} aria-hidden="true">
                {title}
              </div>
              {rows.map(({ item, at }) => (
                <Option key={item.key} id={optionId(id, at)} item={item} isChosen={at === chosen} onPick={onPick} />
              ))}
            </div>
          );
        })}
      </div>
      {items.length === 0 && <p className={styles.note}>{isPartial ? en.suggest.listing : WORDS[kind].nothing}</p>}
      <p className={styles.foot} aria-hidden="true">
        {WORDS[kind].keys}
        {isPartial && items.length > 0 && <span> · {en.suggest.listing}</span>}
      </p>
      <div className="visually-hidden" role="status">
        {en.suggest.count(items.length)}
      </div>
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly item: Suggestion;
  readonly isChosen: boolean;
  readonly onPick: (one: Suggestion) => void;
}

const ICONS = { file: File, directory: Folder, command: SlashSquare } as const;

function Option({ id, item, isChosen, onPick }: OptionProps) {
  const Icon = ICONS[item.kind];
  const slash = item.label.lastIndexOf('/', item.label.length - 2);
  const isPath = item.kind !== 'command';
  return (
    <button
      id={id}
      type="button"
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className={classes(styles.option, isChosen && styles.chosen)}
      ref={(element) => {
        if (isChosen) element?.scrollIntoView({ block: 'nearest' });
      }}
      // The box must not lose its focus, nor the phone its keyboard.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => onPick(item)}
    >
      {isPath && <Icon size={14} aria-hidden className={styles.icon} />}
      <span className={isPath ? styles.path : styles.name}>
        {isPath && slash >= 0 ? (
          <>
            <span className={styles.last}>{showName(item.label.slice(slash + 1))}</span>
            <span className={styles.dir}>{showName(item.label.slice(0, slash))}</span>
          </>
        ) : (
          <span className={styles.last}>{showName(item.label)}</span>
        )}
      </span>
      {item.hint !== '' && <span className={styles.hint}>{showName(item.hint)}</span>}
    </button>
  );
}

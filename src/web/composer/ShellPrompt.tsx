/** The composer as a prompt: what is typed runs in the shared terminal. ↑ brings earlier commands, → or Tab takes what is suggested. */
import { Play } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import { useCommands, useIsFocused } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { AT_NOW, ghostOf, stepHistory, wordAt } from '../terminal/ghost.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { middleCut } from '../ui/format.ts';
import { takeHeldText } from '../ui/HeldKeys.tsx';
import composer from './Composer.module.css';
import buttons from './ComposerButtons.module.css';
import { replaceInBox } from './edit-box.ts';
import { ShellModeToggle } from './ShellModeToggle.tsx';
import styles from './ShellPrompt.module.css';
import { SuggestList } from './SuggestList.tsx';
import { useCompletion } from './use-completion.ts';
import { useHistorySearch } from './use-history-search.ts';
import { useShellPast } from './use-shell-past.ts';

const MAX_CWD_CHARS = 36;

export function ShellPrompt({ conversationId }: { readonly conversationId: ConversationId }) {
  const boxId = useIsFocused() ? 'composer' : undefined;
  const { runShell, setShellMode } = useCommands();
  const [text, setText] = useState(takeHeldText);
  const [isAtEnd, setAtEnd] = useState(true);
  const [error, setError] = useState<string | null>(null);
  const place = useRef(AT_NOW);
  const box = useRef<HTMLTextAreaElement>(null);
  const past = useShellPast(conversationId, wordAt(text, text.length).word);
  const ghost = isAtEnd ? ghostOf(text, past.history, past.paths) : '';
  const { paths, isLooking } = past;
  const completion = useCompletion({ box, text, ghost, isAtEnd, paths, isLooking });
  const search = useHistorySearch({ box, text, history: past.history });
  const list = search.suggestions === null ? completion : search;
  const { listId, suggestions } = list;

  useEffect(() => box.current?.focus({ preventScroll: true }), []);

  async function run(): Promise<void> {
    const command = text.trim();
    if (command === '') return;
    setText('');
    setError(null);
    place.current = AT_NOW;
    past.remember(command);
    const failed = await runShell(conversationId, command);
    past.refresh();
    if (failed === null) return;
    setText((typed) => (typed === '' ? command : typed));
    setError(failed.message);
  }

  function change(next: string): void {
    setText(next);
    completion.close();
    search.restart();
    place.current = AT_NOW;
  }

  function look(): void {
    const element = box.current;
    setAtEnd(element !== null && element.selectionStart === element.value.length);
  }

  function leave(): void {
    completion.close();
    completion.forget();
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.nativeEvent.isComposing || search.takeKey(event)) return;
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    if (completion.takeKey(event)) return;
    completion.forget();
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void run();
    } else if (event.key === 'Tab' && !event.shiftKey) {
      if (completion.complete(event.currentTarget)) event.preventDefault();
    } else if (event.key === 'ArrowRight' && ghost !== '') {
      event.preventDefault();
      replaceInBox(event.currentTarget, text.length, text.length, ghost);
    } else if ((event.key === 'ArrowUp' || event.key === 'ArrowDown') && !text.includes('\n')) {
      const next = stepHistory(past.history, place.current, event.key === 'ArrowUp' ? 1 : -1, text);
      event.preventDefault();
      if (next === null) return;
      setText(next.text);
      place.current = next.place;
    } else if (event.key === 'Escape' || (event.key === 'Backspace' && text === '')) {
      event.preventDefault();
      setShellMode(false);
    }
  }

  return (
    <form
      className={styles.prompt}
      aria-label={en.shellMode.on}
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      {error !== null && (
        <p className={composer.error} role="alert">
          {error}
        </p>
      )}
      {suggestions !== null && (
        <SuggestList id={listId} suggestions={suggestions} chosen={list.chosen} onPick={list.pick} />
      )}
      <div className={styles.line}>
        <span className={styles.cwd} title={showName(past.cwd)} aria-hidden="true">
          {showName(middleCut(past.cwd, MAX_CWD_CHARS))} $
        </span>
        <div className={styles.field}>
          <div className={classes(styles.text, styles.ghost)} aria-hidden="true">
            <span className={styles.typed}>{text}</span>
            <span>{ghost}</span>
          </div>
          <textarea
            ref={box}
            id={boxId}
            className={classes(styles.text, styles.box)}
            value={text}
            rows={1}
            spellCheck={false}
            autoCapitalize="off"
            autoCorrect="off"
            autoComplete="off"
            aria-label={en.shellMode.label}
            aria-autocomplete="both"
            aria-haspopup="listbox"
            aria-controls={suggestions === null ? undefined : listId}
            aria-activedescendant={list.activeId}
            placeholder={en.shellMode.placeholder}
            enterKeyHint="go"
            onChange={(event) => change(event.target.value)}
            onSelect={look}
            onBlur={leave}
            onKeyDown={onKeyDown}
          />
        </div>
      </div>
      <div className={buttons.buttons}>
        <ShellModeToggle />
        <span className={buttons.hint}>{en.shellMode.hint}</span>
        <Button tone="primary" title={en.composer.runHint} disabled={text.trim() === ''} onClick={() => void run()}>
          <Play size={14} aria-hidden />
          {en.composer.run}
        </Button>
      </div>
    </form>
  );
}

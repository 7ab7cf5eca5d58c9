/** The composer as a prompt: what is typed runs in the shared terminal. ↑ brings earlier commands, → or Tab takes what is suggested. */
import { Play } from 'lucide-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { AT_NOW, completeWord, ghostOf, stepHistory, wordAt } from '../terminal/ghost.ts';
import { showExact } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { middleCut } from '../ui/format.ts';
import composer from './Composer.module.css';
import buttons from './ComposerButtons.module.css';
import { replaceInBox } from './edit-box.ts';
import { ShellModeToggle } from './ShellModeToggle.tsx';
import styles from './ShellPrompt.module.css';
import { optionId, SuggestList } from './SuggestList.tsx';
import { useShellPast } from './use-shell-past.ts';
import type { Suggestion, Suggestions } from './use-suggestions.ts';

const MAX_CWD_CHARS = 36;

export function ShellPrompt({ conversationId }: { readonly conversationId: ConversationId }) {
  const { runShell, setShellMode } = useCommands();
  const [text, setText] = useState('');
  const [isAtEnd, setAtEnd] = useState(true);
  const [error, setError] = useState<string | null>(null);
  const [choices, setChoices] = useState<readonly Suggestion[]>([]);
  const [chosen, setChosen] = useState(0);
  const place = useRef(AT_NOW);
  /** The text for which Tab was pressed before anybody knew what it completes to. */
  const awaited = useRef<string | null>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const past = useShellPast(conversationId, wordAt(text, text.length).word);
  const ghost = isAtEnd ? ghostOf(text, past.history, past.paths) : '';

  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  const completeLate = useEffectEvent(() => {
    if (box.current !== null && awaited.current === text) complete(box.current);
  });
  const canComplete = ghost !== '' || !past.isLooking;
  useEffect(() => {
    // Not within the effect: React would put the old text back into a box that is edited meanwhile.
    if (canComplete && awaited.current !== null) queueMicrotask(completeLate);
  }, [canComplete]);

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
    setChoices([]);
    place.current = AT_NOW;
  }

  function look(): void {
    const element = box.current;
    setAtEnd(element !== null && element.selectionStart === element.value.length);
  }

  function leave(): void {
    setChoices([]);
    awaited.current = null;
  }

  function pick(one: Suggestion): void {
    if (box.current !== null) replaceInBox(box.current, one.range.start, one.range.end, one.insert ?? '');
    setChoices([]);
  }

  /** True when there is or may be something to complete; else Tab goes on to the next thing on the page, as everywhere. */
  function complete(element: HTMLTextAreaElement): boolean {
    awaited.current = null;
    if (ghost !== '') {
      replaceInBox(element, text.length, text.length, ghost);
      return true;
    }
    if (text.trim() === '') return false;
    if (isAtEnd && past.isLooking) {
      awaited.current = text;
      return true;
    }
    const caret = element.selectionStart;
    const { word, start } = wordAt(text, caret);
    const found = completeWord(word, past.paths);
    if (found === null) return false;
    if (found.insert !== text.slice(start, caret)) replaceInBox(element, start, caret, found.insert);
    setChosen(0);
    setChoices(found.choices.map((path) => suggestionOf(path, { start, end: start + found.insert.length })));
    return true;
  }

  /** True when the key was for the list of completions. */
  function takeChoiceKey(event: KeyboardEvent): boolean {
    const current = choices[chosen];
    if (current === undefined) return false;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const by = event.key === 'ArrowDown' ? 1 : -1;
      setChosen((chosen + by + choices.length) % choices.length);
    } else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) pick(current);
    else if (event.key === 'Escape') setChoices([]);
    else return false;
    event.preventDefault();
    return true;
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.nativeEvent.isComposing || event.altKey || event.metaKey || event.ctrlKey) return;
    if (takeChoiceKey(event)) return;
    awaited.current = null;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void run();
    } else if (event.key === 'Tab' && !event.shiftKey) {
      if (complete(event.currentTarget)) event.preventDefault();
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

  const suggestions: Suggestions = { kind: 'files', items: choices, isPartial: false };
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
      {choices.length > 0 && <SuggestList id={listId} suggestions={suggestions} chosen={chosen} onPick={pick} />}
      <div className={styles.line}>
        <span className={styles.cwd} title={showExact(past.cwd)} aria-hidden="true">
          {showExact(middleCut(past.cwd, MAX_CWD_CHARS))} $
        </span>
        <div className={styles.field}>
          <div className={classes(styles.text, styles.ghost)} aria-hidden="true">
            <span className={styles.typed}>{text}</span>
            <span>{ghost}</span>
          </div>
          <textarea
            ref={box}
            id="composer"
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
            aria-controls={choices.length === 0 ? undefined : listId}
            aria-activedescendant={choices.length === 0 ? undefined : optionId(listId, chosen)}
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

function suggestionOf(path: string, range: Suggestion['range']): Suggestion {
  const { insert } = completeWord(path, [path]) ?? { insert: path };
  const kind = path.endsWith('/') ? 'directory' : 'file';
  return { key: path, kind, label: path, hint: '', insert, range, run: null };
}

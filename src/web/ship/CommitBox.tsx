/** The commit box: message with the person's template, a suggestion, an amendment, and a button that says what it commits. */
import { PencilLine } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import type { RepositoryStatus } from '../../contract/changes.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { useCommands } from '../state/use-app.ts';
import { EN_SHIP } from '../strings/en-ship.ts';
import { Button } from '../ui/Button.tsx';
import { chooseCommit } from './commit-choice.ts';
import styles from './Ship.module.css';
import { useCommitDraft } from './use-commit-draft.ts';
import type { Ship } from './use-ship.ts';

interface CommitBoxProps {
  readonly conversationId: ConversationId;
  readonly status: RepositoryStatus;
  readonly ship: Ship;
}

/** The limit of the route. */
const MAX_MESSAGE = 32_768;
const WORDS = EN_SHIP.commit;

export function CommitBox({ conversationId, status, ship }: CommitBoxProps) {
  const { ship: call, toast } = useCommands();
  const draft = useCommitDraft(conversationId, status.head, ship.newest);
  const [isMissed, setMissed] = useState(false);
  const [isSuggesting, setSuggesting] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const noteId = useId();
  const choice = chooseCommit(status, draft.isAmend);
  const isCommitting = ship.newest?.state === 'running' && ship.newest.action === 'commit';
  const note = isMissed && draft.isBlank ? WORDS.writeFirst : choice.note;

  async function commit(event?: FormEvent): Promise<void> {
    event?.preventDefault();
    if (!choice.isPossible || ship.isBusy) return;
    if (draft.isBlank) {
      setMissed(true);
      box.current?.focus();
      return;
    }
    const wanted = { action: 'commit', message: draft.text, what: choice.what, amend: draft.isAmend } as const;
    const run = await ship.act(wanted);
    if (run !== null) draft.commitWith(run.id);
  }

  async function suggest(): Promise<void> {
    if (isSuggesting || isCommitting) return;
    setSuggesting(true);
    const answer = await call('suggestCommit', { id: conversationId, what: choice.what });
    setSuggesting(false);
    if (!answer.ok) toast({ text: answer.error.message, tone: 'error' });
    else if (answer.value.message === '') toast({ text: WORDS.nothingToSuggest, tone: 'plain' });
    else draft.suggest(answer.value.message);
    box.current?.focus();
  }

  return (
    <form className={styles.commit} aria-label={WORDS.label} onSubmit={(event) => void commit(event)}>
      <textarea
        ref={box}
        className={styles.message}
        aria-label={WORDS.message}
        aria-describedby={note === null ? undefined : noteId}
        aria-invalid={isMissed && draft.isBlank}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        placeholder={WORDS.placeholder}
        rows={2}
        maxLength={MAX_MESSAGE}
        readOnly={isCommitting}
        value={draft.text}
        onChange={(event) => {
          setMissed(false);
          draft.setText(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void commit();
        }}
      />
      <div className={styles.row}>
        {/* Not `disabled`: a button that loses the focus while it works would send the keyboard back to the top. */}
        <Button
          type="submit"
          tone="primary"
          title={WORDS.keys}
          aria-disabled={!choice.isPossible || ship.isBusy}
          aria-describedby={noteId}
        >
          {choice.label}
        </Button>
        {draft.canPutBack ? (
          <Button tone="quiet" onClick={draft.putBack}>
            {WORDS.putBack}
          </Button>
        ) : (
          !draft.isAmend && (
            <Button
              tone="quiet"
              icon={<PencilLine size={15} aria-hidden />}
              aria-label={WORDS.suggest}
              title={WORDS.suggest}
              aria-disabled={isSuggesting || isCommitting}
              onClick={() => void suggest()}
            >
              <span className={styles.wide}>{WORDS.suggestShort}</span>
            </Button>
          )
        )}
        <label className={styles.check}>
          <input
            type="checkbox"
            aria-label={WORDS.amend}
            title={WORDS.amend}
            checked={draft.isAmend}
            disabled={isCommitting || status.head === null}
            onChange={(event) => void draft.setAmend(event.target.checked)}
          />
          <span>{WORDS.amendShort}</span>
        </label>
      </div>
      <p id={noteId} className={styles.hint} role="status">
        {note}
      </p>
    </form>
  );
}

/** The form that starts a review: uncommitted changes, changes since a base branch, one commit, or the person's own instructions. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import type { ReviewChoices } from '../../contract/review.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { EN_REVIEW } from '../strings/en-review.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { formatAgo } from '../ui/format.ts';
import styles from './ReviewDialog.module.css';
import { branchNames, firstChoice, isOffered, type ReviewChoice, type ReviewKind, targetOf } from './review-choice.ts';

export function ReviewDialog() {
  const id = useApp((state) => state.openId);
  const { show } = useCommands();
  const choices = useChoices(id);
  if (id === null) return null;
  return (
    <Dialog title={EN_REVIEW.title} onClose={() => show('none')}>
      {choices === null ? (
        <p className={styles.form}>{EN_REVIEW.loading}</p>
      ) : (
        <ReviewForm conversationId={id} choices={choices} />
      )}
    </Dialog>
  );
}

/** Null until they were read. Where that failed, own instructions remain. */
function useChoices(id: ConversationId | null): ReviewChoices | null {
  const { readReviewChoices } = useCommands();
  const [choices, setChoices] = useState<ReviewChoices | null>(null);
  useEffect(() => {
    if (id === null) return;
    let isOver = false;
    void readReviewChoices(id).then((read) => {
      if (isOver) return;
      const none = { branches: [], base: null, commits: [], uncommitted: 0 };
      setChoices(read.ok ? read.value : { ...none, reason: read.error.message });
    });
    return () => {
      isOver = true;
    };
  }, [id, readReviewChoices]);
  return choices;
}

interface FormProps {
  readonly conversationId: ConversationId;
  readonly choices: ReviewChoices;
}

function ReviewForm({ conversationId, choices }: FormProps) {
  const isRunning = useApp((state) => state.view.live.activity.state !== 'idle');
  const { show, review } = useCommands();
  const [choice, setChoice] = useState(() => firstChoice(choices));
  const [isStarting, setStarting] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('input:checked')?.focus(), []);
  const target = targetOf(choice);
  const change = (patch: Partial<ReviewChoice>) => setChoice({ ...choice, ...patch });

  async function start(): Promise<void> {
    if (target === null || isRunning || isStarting) return;
    setStarting(true);
    const isStarted = await review(conversationId, target);
    setStarting(false);
    if (isStarted) show('none');
  }

  const option = (kind: ReviewKind, name: string, fact: string, detail: ReactNode = null) => (
    <>
      <label className={styles.option}>
        <input
          type="radio"
          name="review"
          value={kind}
          checked={choice.kind === kind}
          disabled={!isOffered(choices, kind)}
          onChange={() => change({ kind })}
        />
        <span>{name}</span>
        <span className={styles.fact}>{fact}</span>
      </label>
      {choice.kind === kind && detail}
    </>
  );

  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      {choices.reason !== null && <p className={styles.fact}>{choices.reason}</p>}
      <fieldset className={styles.options}>
        <legend className="visually-hidden">{EN_REVIEW.what}</legend>
        {option('uncommittedChanges', EN_REVIEW.uncommitted, factOf(choices, 'uncommittedChanges'))}
        {option(
          'baseBranch',
          EN_REVIEW.branch,
          factOf(choices, 'baseBranch'),
          <BranchSelect choices={choices} value={choice.branch} onChange={(branch) => change({ branch })} />,
        )}
        {option(
          'commit',
          EN_REVIEW.commit,
          factOf(choices, 'commit'),
          <CommitSelect choices={choices} value={choice.sha} onChange={(sha) => change({ sha })} />,
        )}
        {option(
          'custom',
          EN_REVIEW.own,
          '',
          <textarea
            className={styles.own}
            aria-label={EN_REVIEW.own}
            placeholder={EN_REVIEW.ownHint}
            rows={4}
            maxLength={MAX_INSTRUCTIONS}
            value={choice.instructions}
            onChange={(event) => change({ instructions: event.target.value })}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void start();
            }}
          />,
        )}
      </fieldset>
      {isRunning && <p className={styles.fact}>{EN_REVIEW.running}</p>}
      <div className={styles.acts}>
        <Button type="submit" tone="primary" disabled={target === null || isRunning || isStarting}>
          {EN_REVIEW.start}
        </Button>
        <Button onClick={() => show('none')}>{EN_REVIEW.cancel}</Button>
      </div>
    </form>
  );
}

/** The limit of the route. */
const MAX_INSTRUCTIONS = 65_536;

/** How much there is, or that there is nothing. Where nothing could be read, the reason above says it for all. */
function factOf(choices: ReviewChoices, kind: Exclude<ReviewKind, 'custom'>): string {
  if (choices.reason !== null) return '';
  if (isOffered(choices, kind)) return kind === 'uncommittedChanges' ? EN_REVIEW.files(choices.uncommitted) : '';
  return { uncommittedChanges: EN_REVIEW.nothing, baseBranch: EN_REVIEW.noBranch, commit: EN_REVIEW.noCommit }[kind];
}

interface SelectProps {
  readonly choices: ReviewChoices;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function BranchSelect({ choices, value, onChange }: SelectProps) {
  return (
    <select
      className={styles.select}
      aria-label={EN_REVIEW.branchName}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {branchNames(choices).map((name) => (
        <option key={name} value={name}>
          {name === choices.base ? EN_REVIEW.isBase(showName(name)) : showName(name)}
        </option>
      ))}
    </select>
  );
}

/** Enough of a sha to recognize it; git itself shows as many. */
const SHORT_SHA = 7;

function CommitSelect({ choices, value, onChange }: SelectProps) {
  const [now] = useState(Date.now);
  return (
    <select
      className={styles.select}
      aria-label={EN_REVIEW.commit}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {choices.commits.map(({ sha, title, at }) => (
        <option key={sha} value={sha}>
          {`${sha.slice(0, SHORT_SHA)} ${showName(title)} · ${formatAgo(at, now)}`}
        </option>
      ))}
    </select>
  );
}

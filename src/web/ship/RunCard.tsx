/** The newest action as a card: its command, what git and the hooks print, how it ended, why it failed and what can be done now. */
import { X } from 'lucide-react';
import { type FocusEvent, useEffect, useRef } from 'react';
import type { ShipAction, ShipFailure, ShipRun } from '../../contract/ship.ts';
import { EN_SHIP } from '../strings/en-ship.ts';
import { showName, showText } from '../transcript/ansi.ts';
import { Console } from '../transcript/Console.tsx';
import { useOpen } from '../transcript/use-open.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { Disclosure } from '../ui/Disclosure.tsx';
import { OutsideLink } from '../ui/OutsideLink.tsx';
import { NextSteps } from './NextSteps.tsx';
import styles from './Ship.module.css';
import type { Ship } from './use-ship.ts';

const WORDS = EN_SHIP.run;
/** As many as fit without scrolling; the others on demand. */
const LINES = 12;
const MAX_FILES = 20;
const SHORT_SHA = 7;

interface RunCardProps {
  readonly ship: Ship;
  /** The branch that a pull brings in. */
  readonly upstream: string | null;
  /** The person goes to the message box. */
  readonly onAsk: () => void;
}

export function RunCard(props: RunCardProps) {
  const { run, refusal } = props.ship;
  const { box, onFocus, onBlur } = useKeptFocus();
  const isShown = refusal !== null || run !== null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only notices where the focus is
    <div
      ref={box}
      className={classes(styles.place, !isShown && styles.idle)}
      tabIndex={-1}
      onFocus={onFocus}
      onBlur={onBlur}
    >
      {/* Always there, since a screen reader says what changes in it. A failure is an alert of its own. */}
      <p role="status" className="visually-hidden">
        {run === null || refusal !== null ? '' : announce(run, props.upstream)}
      </p>
      {isShown && <Card {...props} />}
    </div>
  );
}

/** A button of the card that goes when it was pressed leaves the focus at the card's place, not at the top of the page. */
function useKeptFocus() {
  const box = useRef<HTMLDivElement>(null);
  const isHere = useRef(false);
  useEffect(() => {
    if (isHere.current && document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  });
  return {
    box,
    onFocus: () => {
      isHere.current = true;
    },
    onBlur: ({ target, relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) isHere.current = box.current?.contains(relatedTarget as Node) ?? false;
      // Either the person clicked beside everything, or the button was removed: that is known a moment later.
      else
        queueMicrotask(() => {
          if (target.isConnected) isHere.current = false;
        });
    },
  };
}

function Card({ ship, upstream, onAsk }: RunCardProps) {
  const { run, refusal } = ship;
  return (
    <section className={styles.run} aria-label={WORDS.label}>
      {refusal !== null ? (
        <>
          <Line text={`$ ${WORDS.commands[refusal.action]}`} fact={WORDS.refused} ship={ship} />
          <FailureNote action={refusal.action} failure={refusal.failure} output="" ship={ship} onAsk={onAsk} />
        </>
      ) : (
        run !== null && <Run key={run.id} run={run} upstream={upstream} ship={ship} onAsk={onAsk} />
      )}
    </section>
  );
}

function Run({ run, upstream, ship, onAsk }: RunCardProps & { readonly run: ShipRun }) {
  const { action, state, output, hooks, failure, done, kept } = run;
  const isRunning = state === 'running';
  const [isOpen, toggle] = useOpen(`ship:${run.id}`, state !== 'done');
  const code =
    state === 'failed' ? (hooks.findLast(({ exit_code }) => (exit_code ?? 0) !== 0)?.exit_code ?? null) : null;
  return (
    <>
      <Disclosure
        isOpen={isOpen}
        onToggle={toggle}
        edge={state === 'failed' ? 'stop' : 'accent'}
        head={
          <code>
            <span className={styles.prompt}>$</span>
            {WORDS.commands[action]}
          </code>
        }
        facts={
          isRunning ? (
            <span className={styles.running}>{ship.isCancelling ? WORDS.cancelling : WORDS.running}</span>
          ) : (
            <span className={classes(state === 'done' ? styles.good : styles.bad)}>
              {state === 'done' ? WORDS.done : code === null ? WORDS.failed : WORDS.exit(code)}
            </span>
          )
        }
        act={isRunning ? <CancelButton action={action} ship={ship} /> : <CloseButton ship={ship} />}
      >
        {output === '' ? (
          !isRunning && <p className={styles.inside}>{WORDS.noOutput}</p>
        ) : (
          <Console text={output} maxLines={LINES} />
        )}
        {hooks.length > 0 && (
          <ul className={styles.hooks}>
            {hooks.map(({ name, exit_code }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a hook that runs twice is there twice, in order
              <li key={at} className={classes((exit_code ?? 0) !== 0 && styles.bad)}>
                {WORDS.hook(
                  showName(name),
                  exit_code !== null ? WORDS.exit(exit_code) : isRunning ? WORDS.running : WORDS.ended,
                )}
              </li>
            ))}
          </ul>
        )}
      </Disclosure>
      <div className={styles.said}>
        {state === 'done' && <p>{showName(describeDone(run, upstream))}</p>}
        {state === 'done' && kept !== null && action !== 'commit' && (
          <p className={styles.hint}>{WORDS.kept(kept.slice(0, SHORT_SHA))}</p>
        )}
      </div>
      {done?.url != null && /^https?:\/\//.test(done.url) && (
        <p className={styles.said}>
          <OutsideLink href={done.url}>{WORDS.open}</OutsideLink>
        </p>
      )}
      {failure !== null && <FailureNote action={action} failure={failure} output={output} ship={ship} onAsk={onAsk} />}
    </>
  );
}

function announce(run: ShipRun, upstream: string | null): string {
  if (run.state === 'failed') return '';
  return run.state === 'done'
    ? showName(describeDone(run, upstream))
    : `${WORDS.commands[run.action]}: ${WORDS.running}`;
}

/** A sentence about what is there now. */
function describeDone({ action, done }: ShipRun, upstream: string | null): string {
  const branch = done?.branch ?? '';
  switch (action) {
    case 'commit':
      return EN_SHIP.done.commit((done?.commit ?? '').slice(0, SHORT_SHA), done?.subject ?? '');
    case 'pull':
      return EN_SHIP.done.pull(upstream ?? branch);
    case 'branch':
    case 'switch':
    case 'push':
      return EN_SHIP.done[action](branch);
    case 'pull_request':
      return EN_SHIP.done.pull_request;
    default:
      return action satisfies never;
  }
}

function Line({ text, fact, ship }: { readonly text: string; readonly fact: string; readonly ship: Ship }) {
  return (
    <div className={styles.refused}>
      <code>{text}</code>
      <span className={styles.bad}>{fact}</span>
      <CloseButton ship={ship} />
    </div>
  );
}

function CancelButton({ action, ship }: { readonly action: ShipAction; readonly ship: Ship }) {
  return (
    <Button
      tone="quiet"
      className={styles.cancel}
      aria-label={WORDS.cancel[action]}
      aria-disabled={ship.isCancelling}
      onClick={() => !ship.isCancelling && void ship.cancel()}
    >
      {WORDS.cancelShort}
    </Button>
  );
}

function CloseButton({ ship }: { readonly ship: Ship }) {
  return <Button tone="quiet" icon={<X size={15} aria-hidden />} name={WORDS.close} onClick={ship.dismiss} />;
}

interface FailureNoteProps {
  readonly action: ShipAction;
  readonly failure: ShipFailure;
  readonly output: string;
  readonly ship: Ship;
  readonly onAsk: () => void;
}

function FailureNote({ action, failure, output, ship, onAsk }: FailureNoteProps) {
  const { message, files } = failure;
  return (
    <div className={styles.failure}>
      <p role="alert">{showText(message)}</p>
      {files.length > 0 && (
        <ul className={styles.files} aria-label={WORDS.files(files.length)}>
          {files.slice(0, MAX_FILES).map((file) => (
            <li key={file}>
              <code>{showName(file)}</code>
            </li>
          ))}
          {files.length > MAX_FILES && <li>{WORDS.moreFiles(files.length - MAX_FILES)}</li>}
        </ul>
      )}
      <NextSteps action={action} failure={failure} output={output} ship={ship} onAsk={onAsk} />
    </div>
  );
}

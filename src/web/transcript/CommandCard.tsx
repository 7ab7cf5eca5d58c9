/** A command and its output: the agent's or the person's own, running or done, live or replayed. */
import { EndButton } from '../running/EndButton.tsx';
import { useApp } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { classes } from '../ui/classes.ts';
import { Disclosure } from '../ui/Disclosure.tsx';
import { formatCount, formatDuration } from '../ui/format.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { showText } from './ansi.ts';
import styles from './CommandCard.module.css';
import { Console, keptLines } from './Console.tsx';
import type { CommandShown } from './command-shown.ts';
import { describeActions, fromProject } from './describe-actions.ts';
import { Elapsed } from './Elapsed.tsx';
import { showCommand } from './exact-text.ts';
import { tailLines } from './tail-lines.ts';
import { useAsking } from './use-asking.ts';
import { useBlockOutput } from './use-block-output.ts';
import { useOpen } from './use-open.ts';

const BlockActions = lazyPart((later) => later.BlockActions, { isPatient: true });

const DEFAULT_LINES = 20;
/** What fits into the line of a card on a phone. */
const HEAD_CHARS = 32;
/** The exit code of a program that Ctrl-C ended: a person who stops their own command needs no red card about it. */
const CTRL_C = 130;

export function CommandCard({ rowKey, shown }: { readonly rowKey: string; readonly shown: CommandShown }) {
  const { status, exitCode, turnId } = shown;
  const maxLines = useApp((state) => state.meta?.command_output_lines ?? DEFAULT_LINES);
  const isTurnOver = useApp((state) => turnId === undefined || state.transcript.endedTurns.has(turnId));
  const isCwdPlain = useApp((state) => shown.cwd === '' || state.meta?.cwd === shown.cwd);
  const project = useApp((state) => state.meta?.cwd ?? '');
  const label = shown.isYours ? null : describeActions(shown.actions, project);
  const isStoppedByYou = endedByYou(shown);
  const isAsking = useAsking(shown.itemId);
  const isFailed =
    status === 'failed' || status === 'declined' || (exitCode !== null && exitCode !== 0 && !isStoppedByYou);
  const isSentHere = useApp((state) => shown.isYours && state.sentCommands.includes(shown.command.trim()));
  const isOpenByDefault =
    isFailed || (shown.isYours ? isSentHere : status === 'running' || (!isTurnOver && label === null));
  const [isOpen, toggle] = useOpen(rowKey, isOpenByDefault);
  const isQuiet = shown.isYours && !isOpen && !isFailed;
  const { output, isWhole, showAll } = useBlockOutput(shown, isOpen);
  const command = showCommand(shown.command);
  const isLong = command.includes('\n') || command.length > HEAD_CHARS;
  return (
    <Disclosure
      isOpen={isOpen}
      onToggle={toggle}
      edge={isFailed ? 'stop' : isQuiet ? 'none' : 'accent'}
      head={label === null ? <CommandLine command={command} isYours={shown.isYours} isQuiet={isQuiet} /> : label}
      facts={<Facts shown={shown} isOpen={isOpen} isAsking={isAsking} />}
      act={
        // One that waits for an answer has not begun: Decline is its end.
        shown.isYours || isAsking ? null : (
          <EndButton itemId={shown.itemId} command={command} isRunning={status === 'running'} />
        )
      }
    >
      {(isLong || label !== null) && (
        <div className={styles.whole}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre className={styles.exact} tabIndex={0}>
            {command}
          </pre>
          <CopyButton text={shown.command} />
        </div>
      )}
      {!isCwdPlain && <div className={styles.cwd}>{showText(en.transcript.in(fromProject(shown.cwd, project)))}</div>}
      {shown.isCutAtStart && <div className={styles.cwd}>{en.transcript.earlierHidden}</div>}
      {output === '' ? (
        status !== 'running' && <div className={styles.silent}>{en.transcript.noOutput}</div>
      ) : (
        <Console
          text={output}
          maxLines={maxLines}
          cut={isWhole || shown.omitted === 0 ? null : shown}
          base={shown.cwd}
        />
      )}
      {shown.omitted > 0 && !isWhole && (
        <div className={styles.cwd}>
          {describeCut(shown)}
          {showAll !== null && (
            <Button tone="quiet" onClick={showAll}>
              {en.terminal.showAll}
            </Button>
          )}
        </div>
      )}
      {shown.blockId !== undefined && <BlockActions blockId={shown.blockId} shown={shown} />}
    </Disclosure>
  );
}

const endedByYou = ({ isYours, exitCode }: CommandShown): boolean => isYours && exitCode === CTRL_C;

/** What is missing, in lines where those are known. */
function describeCut({ output, omitted, printedLines }: CommandShown): string {
  const chars = formatCount(omitted);
  if (printedLines === null) return en.transcript.omitted(chars);
  return en.transcript.omittedLines(formatCount(printedLines - keptLines(output)), chars);
}

interface CommandLineProps {
  readonly command: string;
  readonly isYours: boolean;
  readonly isQuiet: boolean;
}

function CommandLine({ command, isYours, isQuiet }: CommandLineProps) {
  return (
    <code className={classes(!isQuiet && styles.command)}>
      <span className={styles.prompt}>{isYours ? '!' : '$'}</span>
      {command.replaceAll('\n', ' ↵ ')}
    </code>
  );
}

interface FactsProps {
  readonly shown: CommandShown;
  readonly isOpen: boolean;
  readonly isAsking: boolean;
}

function Facts({ shown, isOpen, isAsking }: FactsProps) {
  const { status, exitCode, durationMs } = shown;
  if (isAsking) return <span className={styles.asking}>{en.transcript.waitsForYou}</span>;
  if (status === 'running') {
    return (
      <>
        <span className={styles.running}>{en.transcript.running}</span>
        <Elapsed sinceMs={shown.startedAtMs} />
      </>
    );
  }
  const total = shown.printedLines ?? tailLines(shown.output, Number.POSITIVE_INFINITY).total;
  return (
    <>
      {endedByYou(shown) ? (
        <span>{en.itemEnd.interrupted}</span>
      ) : exitCode === null || status === 'interrupted' ? (
        status !== 'completed' && (
          <span className={styles.bad}>{shown.stoppedBy === 'SIGKILL' ? en.runs.killed : en.itemEnd[status]}</span>
        )
      ) : (
        <span className={classes(exitCode === 0 ? styles.good : styles.bad)}>{en.transcript.exit(exitCode)}</span>
      )}
      {durationMs !== null && <span>{formatDuration(durationMs)}</span>}
      {!isOpen && total > 0 && <span className={styles.lines}>{en.transcript.lines(total)}</span>}
    </>
  );
}

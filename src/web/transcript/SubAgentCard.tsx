/** A sub-agent: what it was told to do, what it does or did, and what came of it. One card, however many turns it has. */
import { Bot, FilePen, SquareTerminal, Wrench } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AgentStep } from '../../contract/entry.ts';
import { linkFiles } from '../files/FileText.tsx';
import { Markdown } from '../markdown/Markdown.tsx';
import { useApp, useCommands } from '../state/use-app.ts';
import { EN_AGENTS } from '../strings/en-agents.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { Disclosure } from '../ui/Disclosure.tsx';
import { formatDuration } from '../ui/format.ts';
import { type AgentShown, agentShown } from './agent-shown.ts';
import { showExact, showName, showText } from './ansi.ts';
import { Elapsed } from './Elapsed.tsx';
import type { AgentRow } from './rows.ts';
import styles from './SubAgentCard.module.css';
import { useAgentTasks } from './use-agent-record.ts';
import { useOpen } from './use-open.ts';

export function SubAgentCard({ row }: { readonly row: AgentRow }) {
  const shown = agentShown(row);
  const [isOpen, toggle] = useOpen(row.key, true);
  const { showAgent } = useCommands();
  const isAsking = useApp((state) => state.view.live.approvals.some((one) => one.thread_id === shown.threadId));
  const isBad = shown.state === 'failed' || shown.state === 'interrupted';
  return (
    <Disclosure
      isOpen={isOpen}
      onToggle={toggle}
      edge={isBad ? 'stop' : 'accent'}
      head={
        <span className={styles.head}>
          <Bot size={14} aria-hidden />
          <span className={styles.kind}>{EN_AGENTS.title}</span>
          {shown.name !== '' && <strong className={styles.name}>{showName(shown.name)}</strong>}
        </span>
      }
      facts={<Facts shown={shown} isAsking={isAsking} />}
    >
      <div className={styles.body}>
        <Tasks shown={shown} />
        {shown.state === 'running' && shown.now !== '' && (
          <Part name={EN_AGENTS.now}>
            <p className={styles.now}>{showText(shown.now)}</p>
          </Part>
        )}
        <Outcome shown={shown} />
        <Steps rowKey={row.key} shown={shown} />
        <div className={styles.acts}>
          <Button tone="quiet" onClick={() => showAgent(shown.threadId)}>
            {EN_AGENTS.open}
          </Button>
        </div>
      </div>
    </Disclosure>
  );
}

function Facts({ shown, isAsking }: { readonly shown: AgentShown; readonly isAsking: boolean }) {
  const { state, startedAtMs, durationMs } = shown;
  const isBad = state === 'failed' || state === 'interrupted';
  if (isAsking) return <span className={styles.asking}>{EN_AGENTS.waits}</span>;
  return (
    <>
      <span className={classes(isBad && styles.bad)}>{EN_AGENTS.states[state]}</span>
      {state === 'running' && <Elapsed sinceMs={startedAtMs} />}
      {durationMs !== null && <span>{formatDuration(durationMs)}</span>}
    </>
  );
}

function Part({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={styles.part}>
      <div className={styles.label}>{name}</div>
      {children}
    </div>
  );
}

function Tasks({ shown }: { readonly shown: AgentShown }) {
  const read = useAgentTasks(shown.threadId, shown.turns, shown.tasks.length === 0);
  const tasks = shown.tasks.length > 0 ? shown.tasks : read;
  if (tasks.length === 0) return null;
  return (
    <Part name={EN_AGENTS.task}>
      <TaskList tasks={tasks} />
    </Part>
  );
}

export function TaskList({ tasks }: { readonly tasks: readonly (string | null)[] }) {
  return tasks.map((task, at) =>
    task === null ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: tasks are only ever added at the end
      <p key={at} className={styles.quiet}>
        {EN_AGENTS.sealed}
      </p>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: tasks are only ever added at the end
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      <pre key={at} className={styles.task} tabIndex={0}>
        {linkFiles(showText(task), false)}
      </pre>
    ),
  );
}

function Outcome({ shown }: { readonly shown: AgentShown }) {
  const { state, result, error } = shown;
  return (
    <>
      {error !== undefined && (
        <Part name={EN_AGENTS.failed}>
          <pre className={styles.error}>{showExact(error)}</pre>
        </Part>
      )}
      {result !== '' && (
        <Part name={EN_AGENTS.result}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <section className={styles.result} tabIndex={0} aria-label={EN_AGENTS.result}>
            <Markdown text={result} isQuiet />
          </section>
        </Part>
      )}
      {result === '' && state === 'completed' && <p className={styles.quiet}>{EN_AGENTS.noResult}</p>}
      {result === '' && state === 'interrupted' && <p className={styles.quiet}>{EN_AGENTS.stopped}</p>}
    </>
  );
}

const ICONS = { command: SquareTerminal, change: FilePen, tool: Wrench };

function Steps({ rowKey, shown }: { readonly rowKey: string; readonly shown: AgentShown }) {
  const { steps, stepCount } = shown;
  const [isOpen, toggle] = useOpen(`${rowKey}:steps`, false);
  if (steps.length === 0) return null;
  const count = (kind: AgentStep['kind']) => steps.filter((one) => one.kind === kind).length;
  const left = stepCount - steps.length;
  return (
    <div className={styles.steps}>
      <Disclosure
        isOpen={isOpen}
        onToggle={toggle}
        edge="none"
        head={EN_AGENTS.did(count('command'), count('change'), count('tool') + left)}
      >
        <ul className={styles.list}>
          {left > 0 && <li className={styles.quiet}>{EN_AGENTS.earlier(left)}</li>}
          {steps.map((step) => (
            <Step key={step.item_id} step={step} />
          ))}
        </ul>
      </Disclosure>
    </div>
  );
}

function Step({ step }: { readonly step: AgentStep }) {
  const { kind, text, state, exit_code: exit = null } = step;
  const Icon = ICONS[kind];
  const isBad = state !== 'completed' && state !== 'running';
  const end =
    exit !== null && exit !== 0 ? EN_AGENTS.exit(exit) : state === 'completed' ? null : EN_AGENTS.states[state];
  return (
    <li className={styles.step}>
      <Icon size={14} role="img" aria-label={EN_AGENTS.kinds[kind]} />
      <code>{showExact(text)}</code>
      {end !== null && <span className={classes(isBad && styles.bad)}>{end}</span>}
    </li>
  );
}

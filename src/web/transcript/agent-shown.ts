/** What the row of a sub-agent holds → what its card shows. Pure. */
import type { AgentStep, ItemEnd } from '../../contract/entry.ts';
import { agentName } from '../../core/conversations/agent-name.ts';
import type { AgentRow } from './rows.ts';

export interface AgentShown {
  readonly threadId: string;
  /** Empty where Codex gives none. */
  readonly name: string;
  readonly state: 'started' | 'running' | ItemEnd;
  readonly startedAtMs: number;
  readonly durationMs: number | null;
  /** Of models whose calls tell the words; of the others they are asked for. */
  readonly tasks: readonly string[];
  /** Turns it had or has: one for each task. */
  readonly turns: number;
  readonly now: string;
  readonly result: string;
  readonly error: string | undefined;
  readonly steps: readonly AgentStep[];
  readonly stepCount: number;
}

export function agentShown({ entries, live }: AgentRow): AgentShown {
  const ended = entries.filter((one) => one.agent?.activity === 'turn');
  const last = ended.at(-1);
  const refs = [...entries, ...(live === null ? [] : [live])].flatMap((one) => one.agent ?? []);
  const told = entries.findLast((one) => one.agent?.activity === 'completed' || one.agent?.activity === 'stopped');
  return {
    threadId: refs[0]?.thread_id ?? '',
    name: agentName(refs.find((one) => one.path !== '')?.path ?? ''),
    state: live !== null ? 'running' : (last?.status ?? stateOf(told?.agent?.activity)),
    startedAtMs: live?.started_at_ms ?? 0,
    durationMs: live === null ? (last?.duration_ms ?? null) : null,
    tasks: entries.flatMap((one) => (one.agent?.activity !== 'turn' && one.input ? [one.input] : [])),
    turns: ended.length + Number(live !== null),
    now: live?.text ?? '',
    result: live === null ? (last?.output ?? '') : '',
    error: live === null ? last?.error : undefined,
    steps: refs.flatMap((one) => one.steps ?? []),
    stepCount: refs.reduce((sum, one) => sum + (one.step_count ?? 0), 0),
  };
}

/** Nothing was heard of the end of its turn, as after a restart of the server; what the agent above it said still tells. */
function stateOf(activity: string | undefined): 'started' | ItemEnd {
  if (activity === 'completed') return 'completed';
  return activity === 'stopped' ? 'interrupted' : 'started';
}

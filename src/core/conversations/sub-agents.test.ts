/** What a conversation tells of its sub-agents: their turns, acts and results, nested ones included. */
import { describe, expect, test } from 'vitest';
import { accept } from '../../../test/recording.ts';
import {
  answered,
  asks,
  begin,
  CHILD,
  CHILD_STARTED,
  command,
  completed,
  end,
  GONE,
  patch,
  runOf,
  say,
  started,
  tool,
} from '../../../test/signals.ts';
import type { Entry } from '../../contract/entry.ts';
import { agentName } from './agent-name.ts';
import { restore } from './reconcile.ts';
import { emptyThread } from './thread-state.ts';

const INNER = '01a1e140-0000-7000-8000-000000000002';
const spawn = [started('t'), end('t', tool('s', { status: 'completed', agent: CHILD_STARTED })), completed('t')];
const childTurn = { ...started('k'), threadId: CHILD };
const agents = (entries: readonly Entry[]) =>
  entries.flatMap((entry) =>
    entry.role === 'tool' && entry.agent !== undefined ? [{ ...entry, ...entry.agent }] : [],
  );

describe('a turn of a sub-agent', () => {
  test('[PG361] is one live item that lists what it does and says what it does now', () => {
    const run = runOf(...spawn, childTurn, begin('k', command('c'), CHILD));
    expect(run.live.items).toMatchObject([
      { role: 'tool', kind: 'sub_agent', name: '/root/h', text: 'Running ls', agent: { thread_id: CHILD } },
    ]);
    expect(run.live.items[0]).toMatchObject({ agent: { steps: [{ kind: 'command', text: 'ls', state: 'running' }] } });
    expect(run.state.turn).toBeNull();
  });

  test('[PG362] ends as one entry with its result and its acts, also without a word of its start', () => {
    const run = runOf(
      ...spawn,
      begin('k', command('c'), CHILD),
      end('k', command('c', { status: 'failed', exitCode: 2 }), CHILD),
      end('k', patch('p', 'completed'), CHILD),
      end('k', say('m', 'all done'), CHILD),
      completed('k', { threadId: CHILD }),
    );
    expect(run.live.items).toEqual([]);
    expect(agents(run.entries).at(-1)).toMatchObject({
      activity: 'turn',
      status: 'completed',
      output: 'all done',
      step_count: 2,
      steps: [
        { kind: 'command', text: 'ls', state: 'failed', exit_code: 2 },
        { kind: 'change', text: 'a.txt', state: 'completed' },
      ],
    });
    accept(run, end('k', say('m2', 'late'), CHILD));
    accept(run, completed('k', { threadId: CHILD }));
    expect(run.live.items).toEqual([]);
    expect(agents(run.entries).filter((one) => one.activity === 'turn')).toHaveLength(1);
  });

  test('[PG363] that was stopped or lost says so, and so do the commands it left', () => {
    const running = [...spawn, childTurn, begin('k', command('c'), CHILD)];
    const stopped = runOf(...running, completed('k', { threadId: CHILD, status: 'interrupted' }));
    const lost = runOf(...running, GONE);
    for (const run of [stopped, lost])
      expect(agents(run.entries).at(-1)).toMatchObject({
        activity: 'turn',
        status: 'interrupted',
        steps: [{ state: 'interrupted' }],
      });
  });

  test('[PG363] that failed keeps the words of the failure', () => {
    const failure = { message: 'no such thing', code: 'other' };
    const run = runOf(...spawn, childTurn, completed('k', { threadId: CHILD, status: 'failed', failure }));
    expect(agents(run.entries).at(-1)).toMatchObject({ status: 'failed', error: 'no such thing' });
  });

  test('[PG361] lists at most 30 acts and counts all', () => {
    const run = runOf(...spawn, ...Array.from({ length: 40 }, (_, at) => begin('k', command(`c${at}`), CHILD)));
    const [item] = run.live.items;
    expect(item).toMatchObject({ agent: { step_count: 40 } });
    expect(item?.role === 'tool' && item.agent?.steps?.length).toBe(30);
  });

  test('[PG362] is no turn of the conversation after a restart', () => {
    const run = runOf(...spawn, childTurn, completed('k', { threadId: CHILD }));
    const { conversationId, cwd, digest } = run.state;
    const again = restore(emptyThread(conversationId, cwd, digest), run.entries, null);
    expect(again).toMatchObject({ turn: null, childPaths: { [CHILD]: '/root/h' } });
  });
});

describe('a sub-agent of a sub-agent', () => {
  const nested = [
    ...spawn,
    childTurn,
    end(
      'k',
      tool('n', { status: 'completed', agent: { threadId: INNER, path: '/root/h/in', activity: 'started' } }),
      CHILD,
    ),
  ];

  test('[PG364] keeps its name, says whose it is, and its requests reach the conversation', () => {
    const run = runOf(...nested, asks(4, 'i', 'p', { threadId: INNER }));
    expect(agents(run.entries).at(-1)).toMatchObject({ thread_id: INNER, path: '/root/h/in', by: CHILD });
    expect(run.asks).toMatchObject([{ thread_id: INNER }]);
    accept(run, answered(run));
    expect(run.state.turn).toBeNull();
  });

  test('[PG364] is named without the root', () => {
    expect(['/root/h/in', '/root/h', '', '/other/root'].map(agentName)).toEqual(['h / in', 'h', '', 'other / root']);
  });
});

/** Requests of Codex: how they open, who answers, and the one way each of them ends. */
import { describe, expect, test } from 'vitest';
import { accept, digest, EPOCH, type Run, resumeRun } from '../../../test/recording.ts';
import {
  answered,
  asks,
  begin,
  CHILD,
  CHILD_STARTED,
  CWD,
  command,
  completed,
  end,
  found,
  GONE,
  patch,
  resolved,
  runOf,
  started,
  status,
  told,
  tool,
  user,
} from '../../../test/signals.ts';
import type { Ask } from '../../contract/approval.ts';
import type { Item } from '../codex/item.ts';
import type { Signal } from '../codex/signal.ts';
import { restore } from './reconcile.ts';
import { emptyThread } from './thread-state.ts';

const rows = (run: Run) =>
  run.entries.flatMap((entry) => (entry.role === 'approval' ? [`${entry.status} ${entry.event}`] : []));
const outputs = (run: Run) => run.events.filter((event) => event.type === 'approval').length;

const ASKED = [started('t'), begin('t', command('c')), asks(0, 't', 'c')];
type Asked = { readonly method: string; readonly ask: Ask };
const CHANGE_ASK: Asked = { method: 'item/fileChange/requestApproval', ask: { kind: 'file_change', changes: [] } };
const TOOL_ASK: Asked = {
  method: 'mcpServer/elicitation/request',
  ask: { kind: 'mcp_tool', server: 'tiny', message: 'Allow?', mode: 'form', persist: [] },
};

describe('a request', () => {
  test('[AP2] is shown, waited for, and over when it is answered here', () => {
    const run = runOf(...ASKED);
    expect(run.state.activity).toMatchObject({ state: 'waiting', text: 'Run ls?' });
    expect(run.live.approvals).toHaveLength(1);
    accept(run, answered(run));
    expect(run.state.activity).toMatchObject({ state: 'running' });
    expect(run.live.approvals).toEqual([]);
    accept(run, resolved(0));
    accept(run, answered(run, 'declined'));
    accept(run, end('t', command('c', { status: 'completed' })));
    expect(told(run)).toEqual(['approval c accepted', 'command c completed']);
    expect(run.entries[0]).toMatchObject({ decision: 'accept', event: 'answered', command: "/bin/bash -lc 'ls'" });
  });

  test('[AP2] expires with its turn, is cancelled by an interrupt, and dies with Codex', () => {
    expect(rows(runOf(...ASKED, completed('t'), resolved(0)))).toEqual(['expired turn/completed']);
    expect(rows(runOf(...ASKED, completed('t', { status: 'interrupted' }), resolved(0)))).toEqual([
      'cancelled turn/completed',
    ]);
    expect(rows(runOf(...ASKED, GONE, GONE))).toEqual(['expired codex.gone']);
    expect(rows(runOf(asks(0, null, null), started('t'), completed('t')))).toEqual(['expired turn/completed']);
    expect(rows(runOf(...ASKED, started('u'), asks(1, 'other', 'x')))).toEqual([]);
  });

  test('[AP2] expires when its item ends unasked', () => {
    expect(rows(runOf(...ASKED, end('t', command('c', { status: 'failed' }))))).toEqual(['expired item/completed']);
    const old = asks(0, null, 'c', { method: 'execCommandApproval' });
    expect(rows(runOf(started('t'), old, resolved(0), end('t', command('c', { status: 'completed' }))))).toEqual([
      'accepted item/completed',
    ]);
  });

  test('[AP3] that is repeated is the same request', () => {
    const run = runOf(...ASKED, asks(0, 't', 'c'), asks(0, 't', 'c'));
    expect([run.asks.length, outputs(run)]).toEqual([1, 1]);
    accept(run, answered(run));
    // The answer was lost with the connection: it is asked again, and told once.
    accept(run, asks(0, 't', 'c'));
    accept(run, answered(run));
    expect(run.asks.map((one) => one.approval_id)).toEqual([run.asks[0]?.approval_id, run.asks[0]?.approval_id]);
    expect(rows(run)).toHaveLength(1);
  });

  test('[AP4] has an id that follows from all that was shown and asked, and from the process', () => {
    const id = (...signals: Signal[]) => runOf(...signals).asks[0]?.approval_id;
    const same = id(...ASKED);
    expect(same).toMatch(/^apr_[0-9a-f]{32}$/);
    expect(id(...ASKED)).toBe(same);
    const others = [
      id(asks(0, 't', 'c', { epoch: 'e2' })),
      id(asks(1, 't', 'c')),
      id(asks(0, 'u', 'c')),
      id(asks(0, 't', 'd')),
      id(asks(0, 't', 'c', { reason: 'why' })),
      id(asks(0, 't', 'c', { ask: { kind: 'command', action: 'run', command: 'rm', actions: [] } })),
      id(begin('t', patch('c', 'in_progress')), asks(0, 't', 'c', CHANGE_ASK)),
      id(asks(0, 't', 'c', CHANGE_ASK)),
    ];
    expect(new Set([same, ...others]).size).toBe(others.length + 1);
  });

  test('[AP7] to change files shows the changes of its item', () => {
    const run = runOf(begin('t', patch('p', 'in_progress')), asks(0, 't', 'p', CHANGE_ASK));
    expect(run.asks).toMatchObject([
      { title: 'Change a.txt?', ask: { changes: [{ path: `${CWD}/a.txt`, kind: 'update' }] } },
    ]);
    const later = runOf(
      begin('t', patch('p', 'in_progress')),
      { type: 'item.changes', threadId: '', turnId: 't', itemId: 'p', changes: [] },
      asks(0, 't', 'p', CHANGE_ASK),
    );
    expect(later.asks).toMatchObject([{ title: 'Change files?' }]);
  });

  test('[AP7] that names only its item shows what the item is about', () => {
    const bare: Ask = { kind: 'command', action: 'run', command: '', actions: [] };
    const run = runOf(begin('t', command('c')), asks(0, 't', 'c', { ask: bare }));
    expect(run.asks).toMatchObject([{ title: 'Run ls?', ask: { command: 'ls', cwd: CWD } }]);
    expect(runOf(asks(0, 't', 'c', { ask: bare })).asks).toMatchObject([{ ask: bare }]);
  });

  test('[AP13] that needs nobody is answered at once', () => {
    const run = runOf(
      asks(0, 't', null, { ask: null, auto: { kind: 'current_time' } }),
      asks(1, 't', 'x', { ask: null, auto: { kind: 'no_such_tool', tool: 'pty' } }),
      asks(2, null, null, { ask: null, auto: { kind: 'unsupported', what: 'no' } }),
    );
    expect(run.replies.map((one) => one.rpcId)).toEqual([0, 1, 2]);
    expect([run.asks, run.entries, run.state.turn]).toEqual([[], [], null]);
  });
});

describe('a request answered by another client', () => {
  test('[AP6] about a command: declined if the command ended as declined, else accepted', () => {
    const declined = runOf(...ASKED, resolved(0), end('t', command('c', { status: 'declined' })), status('active'));
    expect(rows(declined)).toEqual(['declined item/completed']);
    const accepted = runOf(...ASKED, resolved(0));
    expect(accepted.state.activity.state).toBe('running');
    accept(accepted, status('active', ['waitingOnApproval']));
    expect(rows(accepted)).toEqual(['accepted thread/status/changed']);
    expect(accepted.live.approvals).toEqual([]);
  });

  test('[AP6][CV6] a command that was let run may outlive the turn, whoever allowed it', () => {
    const run = runOf(
      ...ASKED,
      resolved(0),
      status('active'),
      completed('t'),
      end('t', command('c', { status: 'completed', exitCode: 0 })),
    );
    expect(told(run)).toEqual(['approval c accepted', 'status t success', 'command c completed']);
    const here = runOf(...ASKED);
    accept(here, answered(here));
    accept(here, completed('t'));
    expect(here.live.items).toMatchObject([{ item_id: 'c' }]);
  });

  test('[AP6] about a change or a tool: its end tells', () => {
    const change = [
      begin('t', patch('p', 'in_progress')),
      asks(0, 't', 'p', CHANGE_ASK),
      resolved(0),
      status('active'),
    ];
    expect(rows(runOf(...change, end('t', patch('p', 'declined'))))).toEqual(['declined item/completed']);
    expect(rows(runOf(...change, end('t', patch('p', 'completed'))))).toEqual(['accepted item/completed']);
    const call = [begin('t', tool('x')), asks(0, 't', null, TOOL_ASK), resolved(0), status('active')];
    const rejected = tool('x', { status: 'failed', error: 'user rejected MCP tool call' });
    expect(rows(runOf(...call, end('t', rejected)))).toEqual(['declined item/completed']);
    expect(rows(runOf(...call, end('t', tool('x', { status: 'failed', error: 'boom' }))))).toEqual([
      'accepted item/completed',
    ]);
  });

  test('[AP6] of which nothing more is heard is over with the turn, or at once when it has no item', () => {
    const change = [begin('t', patch('p', 'in_progress')), asks(0, 't', 'p', CHANGE_ASK), resolved(0)];
    expect(rows(runOf(...change, completed('t')))).toEqual(['accepted turn/completed']);
    expect(rows(runOf(...change, completed('t', { status: 'interrupted' })))).toEqual(['cancelled turn/completed']);
    const two = [begin('t', tool('x')), begin('t', tool('y')), asks(0, 't', null, TOOL_ASK)];
    expect(rows(runOf(...two, resolved(0)))).toEqual(['expired serverRequest/resolved']);
    expect(rows(runOf(asks(0, 't', null), resolved(7)))).toEqual([]);
    const questions = asks(0, 't', 'call', { ask: { kind: 'questions', questions: [] } });
    expect(rows(runOf(questions, resolved(0), status('active')))).toEqual(['accepted thread/status/changed']);
  });
});

describe('a request that was open when we restarted', () => {
  function restarted(run: Run): Run {
    const state = restore(emptyThread(run.state.conversationId, CWD, digest), run.entries, run.memory);
    return resumeRun(state, run.entries);
  }
  const before = runOf(started('t'), end('t', user('u', 'go')), begin('t', command('c')), asks(0, 't', 'c'));
  const history = (...items: Item[]) =>
    ({ type: 'turns.found', turns: [found('t', items, { status: 'running' })] }) as const;

  test('[AP5] keeps its id and its time when Codex repeats it', () => {
    const run = restarted(before);
    accept(run, history(user('u', 'go')));
    expect(run.asks).toEqual([]);
    accept(run, asks(0, 't', 'c'), 99);
    expect(run.asks).toEqual(before.asks);
    expect(run.state.remembered).toEqual({});
    accept(run, answered(run));
    expect(rows(run)).toEqual(['accepted answered']);
  });

  test('[AP5] and was answered meanwhile is told by its item', () => {
    const run = restarted(before);
    accept(run, history(user('u', 'go'), command('c', { status: 'declined' })));
    expect(told(run)).toEqual(['user u go', 'approval c declined', 'command c declined']);
    const other = restarted(before);
    accept(other, history(command('c', { status: 'completed' })));
    expect(rows(other)).toEqual(['accepted item/completed']);
  });

  test('[AP5] and is never repeated expires with its turn or with Codex', () => {
    const run = restarted(before);
    accept(run, completed('t'));
    expect(rows(run)).toEqual(['expired turn/completed']);
    const gone = restarted(before);
    accept(gone, GONE);
    expect(rows(gone)).toEqual(['expired codex.gone']);
    expect(restarted(gone).state.remembered).toEqual({});
  });

  test('[AP5] a request of another process is another request', () => {
    const run = restarted(before);
    accept(run, asks(0, 't', 'c', { epoch: 'e2' }));
    expect(run.asks[0]?.approval_id).not.toBe(before.asks[0]?.approval_id);
    expect(Object.keys(run.state.remembered)).toEqual([`${EPOCH}:0`]);
  });
});

describe('requests of a sub-agent', () => {
  const spawn = [
    started('t'),
    begin('t', tool('s', { agent: CHILD_STARTED })),
    end('t', tool('s', { status: 'completed', agent: CHILD_STARTED })),
    completed('t'),
  ];
  const change = asks(4, 'k', 'p', { ...CHANGE_ASK, threadId: CHILD });

  test('[AP11] are shown on the parent, with their changes, and leave its turns alone', () => {
    const run = runOf(...spawn, begin('k', patch('p', 'in_progress'), CHILD), change);
    expect(run.state.turn).toBeNull();
    expect(run.asks).toMatchObject([{ thread_id: CHILD, title: 'Change a.txt?' }]);
    expect(run.live.items).toMatchObject([{ kind: 'sub_agent', turn_id: 'k' }]);
    expect(run.state.activity).toMatchObject({ state: 'waiting' });
    accept(run, answered(run));
    accept(run, end('k', patch('p', 'completed'), CHILD));
    accept(run, completed('k', { threadId: CHILD }));
    expect(told(run)).toEqual([
      'tool s completed',
      'status t success',
      'approval p accepted',
      'tool sub-agent-turn completed',
    ]);
    expect(run.state).toMatchObject({ activity: { state: 'idle' }, open: {} });
  });

  test('[AP11] end once, whoever answers', () => {
    expect(rows(runOf(...spawn, change, resolved(4, CHILD), end('k', patch('p', 'completed'), CHILD)))).toEqual([
      'expired serverRequest/resolved',
    ]);
    expect(rows(runOf(...spawn, change, completed('k', { threadId: CHILD, status: 'interrupted' })))).toEqual([
      'cancelled turn/completed',
    ]);
    expect(rows(runOf(...spawn, change, end('k', patch('p', 'declined'), CHILD)))).toEqual(['expired item/completed']);
    expect(rows(runOf(...spawn, begin('k', patch('p', 'in_progress'), CHILD), change, GONE))).toEqual([
      'expired codex.gone',
    ]);
  });

  test('[AP11] its commands are no entries of the conversation, also after a restart', () => {
    const run = runOf(
      ...spawn,
      begin('k', command('c'), CHILD),
      end('k', command('c', { status: 'completed' }), CHILD),
    );
    expect(told(run)).toEqual(['tool s completed', 'status t success']);
    const waiting = runOf(...spawn, change);
    const again = restore(emptyThread(run.state.conversationId, CWD, digest), waiting.entries, waiting.memory);
    expect(again).toMatchObject({ children: [CHILD], turn: null });
  });
});

/** The laws of the decider, for anything Codex could say and for whatever dies. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accept, createReader, createRun, digest, resumeRun } from '../../../test/recording.ts';
import {
  answered,
  anySignal,
  asks,
  begin,
  CHILD,
  CHILD_STARTED,
  command,
  completed,
  delta,
  diffUpdated,
  end,
  failing,
  found,
  GONE,
  patch,
  resolved,
  runOf,
  say,
  started,
  status,
  THREAD,
  tool,
  usage,
  user,
} from '../../../test/signals.ts';
import type { Item } from '../codex/item.ts';
import { MAX_LIVE_TEXT } from './live.ts';
import { restore } from './reconcile.ts';
import { EMPTY_VIEW, reduceConversation } from './reduce.ts';
import { route } from './route.ts';
import { emptyThread } from './thread-state.ts';

describe('[L1] total', () => {
  test('[L1] no line makes the center throw', () => {
    const method = fc.constantFrom(
      ...['turn/started', 'turn/completed', 'item/started', 'item/completed', 'item/agentMessage/delta', 'error'],
      ...['turn/diff/updated', 'turn/plan/updated', 'codex/event/item_completed', 'codex/event/exec_command_end'],
      ...[
        'item/fileChange/requestApproval',
        'mcpServer/elicitation/request',
        'applyPatchApproval',
        'no/such',
        'toString',
      ],
    );
    const item = fc.record(
      {
        type: fc.constantFrom(
          'userMessage',
          'commandExecution',
          'fileChange',
          'mcpToolCall',
          'constructor',
          '__proto__',
        ),
        id: fc.string({ minLength: 1 }),
        content: fc.jsonValue(),
        changes: fc.jsonValue(),
        result: fc.jsonValue(),
        arguments: fc.jsonValue(),
      },
      { requiredKeys: ['type', 'id'] },
    );
    const params = fc.record(
      {
        threadId: fc.constant(THREAD),
        turnId: fc.oneof(fc.string(), fc.constantFrom('0', '__proto__')),
        item: fc.oneof(item, fc.jsonValue()),
        turn: fc.oneof(fc.record({ id: fc.string(), items: fc.array(item) }), fc.jsonValue()),
        itemId: fc.string(),
        delta: fc.oneof(fc.string(), fc.jsonValue()),
        diff: fc.jsonValue(),
        error: fc.jsonValue(),
        msg: fc.record({ item, command: fc.jsonValue() }),
      },
      { requiredKeys: [] },
    );
    const line = fc.oneof(
      fc
        .record({ method, params, id: fc.oneof(fc.nat(), fc.string(), fc.constant(undefined)) })
        .map((value) => JSON.stringify(value)),
      fc.record({ method, params: fc.jsonValue() }).map((value) => JSON.stringify(value)),
      fc.json(),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const reader = createReader();
        const run = createRun(THREAD, '/');
        const bytes = new TextEncoder().encode(lines.map((one) => `${one}\n`).join(''));
        for (const { signals } of reader.push(bytes)) for (const signal of signals) accept(run, signal);
      }),
      { numRuns: 400 },
    );
  });

  test('[L1] no signal makes the decider throw, and a request is never met with silence', () => {
    fc.assert(
      fc.property(fc.array(anySignal(), { maxLength: 25 }), (signals) => {
        const run = createRun(THREAD, '/home/dev/project');
        for (const signal of signals) {
          const { state, outputs } = route(run.state, signal, 0);
          const isRepeat =
            signal.type === 'request' && Object.values(run.state.asks).some((one) => one.rpcId === signal.rpcId);
          if (signal.type === 'request' && !isRepeat)
            expect(outputs.some((output) => output.do === 'ask' || output.do === 'reply')).toBe(true);
          run.state = state;
        }
      }),
      { numRuns: 400 },
    );
  });
});

/** What may happen next; each is read in the light of what has happened. */
type Move =
  | 'turn'
  | 'say'
  | 'cut'
  | 'steer'
  | 'retry'
  | 'command'
  | 'background'
  | 'patch'
  | 'ask'
  | 'answer'
  | 'answer elsewhere'
  | 'decline elsewhere'
  | 'repeat'
  | 'child asks'
  | 'finish'
  | 'interrupt'
  | 'fail'
  | 'late end'
  | 'codex dies'
  | 'we restart';

const MOVES: readonly Move[] = [
  ...([
    'turn',
    'turn',
    'say',
    'cut',
    'steer',
    'retry',
    'command',
    'background',
    'patch',
    'ask',
    'ask',
    'answer',
  ] as const),
  ...([
    'answer elsewhere',
    'decline elsewhere',
    'repeat',
    'child asks',
    'finish',
    'finish',
    'interrupt',
    'fail',
  ] as const),
  ...(['late end', 'codex dies', 'we restart'] as const),
];

/** Codex as it behaves: one turn at a time, requests only while it lives, ids that never repeat. */
function simulate(moves: readonly Move[]) {
  let run = runOf();
  let next = 0;
  let turn: string | null = null;
  let items: Item[] = [];
  let open: { rpcId: number; itemId: string; turnId: string; isChild: boolean }[] = [];
  const background: { turnId: string; id: string }[] = [];
  const turns: string[] = [];
  const hear = (...signals: Parameters<typeof accept>[1][]) => {
    for (const signal of signals) accept(run, signal);
  };
  const close = (turnId: string) => {
    const mine = open.filter((one) => one.turnId === turnId);
    open = open.filter((one) => one.turnId !== turnId);
    hear(...mine.map((one) => resolved(one.rpcId)));
    turn = null;
    items = [];
  };
  const ask = (isChild: boolean) => {
    const rpcId = next++;
    const itemId = `i${rpcId}`;
    const turnId = isChild ? `child${rpcId}` : (turn ?? '');
    if (isChild) hear(end(turn ?? '', tool(`s${rpcId}`, { status: 'completed', agent: CHILD_STARTED })));
    else hear(begin(turnId, command(itemId)));
    open.push({ rpcId, itemId, turnId, isChild });
    hear(asks(rpcId, turnId, itemId, isChild ? { threadId: CHILD } : {}));
  };
  const answerElsewhere = (word: 'completed' | 'declined') => {
    const one = open.shift();
    if (one === undefined) return;
    hear(resolved(one.rpcId, one.isChild ? CHILD : THREAD));
    if (word === 'completed') hear(status('active'));
    if (!one.isChild) hear(end(one.turnId, command(one.itemId, { status: word })));
  };
  const die = () => {
    hear(GONE);
    turn = null;
    items = [];
    open = [];
    background.length = 0;
  };
  const restart = () => {
    const { conversationId, cwd } = run.state;
    const kept = {
      ...resumeRun(restore(emptyThread(conversationId, cwd, digest), run.entries, run.memory), run.entries),
    };
    kept.asks.push(...run.asks);
    kept.lifecycle.push(...run.lifecycle);
    run = kept;
    if (turn !== null) hear({ type: 'turns.found', turns: [found(turn, items, { status: 'running' })] });
    for (const one of open) hear(asks(one.rpcId, one.turnId, one.itemId, one.isChild ? { threadId: CHILD } : {}));
  };
  const done = (item: Item) => {
    items.push(item);
    return end(turn ?? '', item);
  };
  for (const move of moves) {
    const id = `m${next++}`;
    if (move === 'codex dies') die();
    else if (move === 'we restart') restart();
    else if (move === 'repeat')
      for (const one of open) hear(asks(one.rpcId, one.turnId, one.itemId, one.isChild ? { threadId: CHILD } : {}));
    else if (move === 'late end') {
      const late = background.shift();
      if (late !== undefined) hear(end(late.turnId, command(late.id, { status: 'failed', exitCode: -1 })));
    } else if (turn === null) {
      if (move !== 'turn') continue;
      turn = `t${next++}`;
      turns.push(turn);
      hear(started(turn), begin(turn, user(id, 'go')), done(user(id, 'go')));
    } else if (move === 'say') hear(begin(turn, say(id, '')), delta(turn, id, 'hel'), done(say(id, 'hello')));
    else if (move === 'cut') hear(begin(turn, say(id, '')), delta(turn, id, 'hel'));
    else if (move === 'steer') hear(begin(turn, user(id, 'no')), done(user(id, 'no')));
    else if (move === 'retry') hear(failing(turn, 'Reconnecting', true));
    else if (move === 'command')
      hear(begin(turn, command(id)), done(command(id, { status: 'completed', exitCode: 0 })));
    else if (move === 'background') {
      hear(begin(turn, command(id, { processId: '7' })));
      background.push({ turnId: turn, id });
    } else if (move === 'patch')
      hear(
        begin(turn, patch(id, 'in_progress')),
        done(patch(id, 'completed')),
        diffUpdated(turn, id),
        diffUpdated(turn, id),
      );
    else if (move === 'ask') ask(false);
    else if (move === 'child asks') ask(true);
    else if (move === 'answer') {
      const last = open.at(-1);
      if (last === undefined || run.asks.at(-1)?.item_id !== last.itemId) continue;
      open.pop();
      hear(answered(run), resolved(last.rpcId));
      if (!last.isChild) hear(end(last.turnId, command(last.itemId, { status: 'completed' })));
    } else if (move === 'answer elsewhere') answerElsewhere('completed');
    else if (move === 'decline elsewhere') answerElsewhere('declined');
    else if (move === 'finish' || move === 'interrupt' || move === 'fail') {
      const word = { finish: 'completed', interrupt: 'interrupted', fail: 'failed' } as const;
      const failure = move === 'fail' ? { message: 'no', code: null } : null;
      const turnId = turn;
      hear(
        usage(turnId, 3),
        ...(failure ? [failing(turnId, 'no')] : []),
        completed(turnId, { status: word[move], failure }),
      );
      close(turnId);
    }
  }
  hear(GONE);
  return { run, turns };
}

const repeatsOf = (list: readonly string[]): string[] => list.filter((one, at) => list.indexOf(one) !== at);

describe('whatever happens', () => {
  const moves = fc.array(fc.constantFrom(...MOVES), { maxLength: 40 });

  test('[L5] each turn and each request ends exactly once, and each thing is told once', () => {
    fc.assert(
      fc.property(moves, (list) => {
        const { run, turns } = simulate(list);
        const rows = (role: string) => run.entries.filter((entry) => entry.role === role);
        const ended = rows('status').map((entry) => entry.turn_id ?? '');
        expect(ended.toSorted()).toEqual(turns.toSorted());
        const ids = run.entries.flatMap((entry) => (entry.role === 'approval' ? [entry.approval_id] : []));
        expect(ids.toSorted()).toEqual([...new Set(run.asks.map((one) => one.approval_id))].toSorted());
        expect(
          repeatsOf(run.entries.flatMap((entry) => (entry.item_id ? [`${entry.role} ${entry.item_id}`] : []))),
        ).toEqual([]);
        expect(rows('error').length).toBeLessThanOrEqual(turns.length);
        expect({
          turn: run.state.turn,
          open: run.state.open,
          asks: run.state.asks,
          remembered: run.state.remembered,
        }).toEqual({
          turn: null,
          open: {},
          asks: {},
          remembered: {},
        });
      }),
      { numRuns: 500 },
    );
  });

  test('[L8] turns and requests are announced in order, once, also across a restart', () => {
    fc.assert(
      fc.property(moves, (list) => {
        const { run, turns } = simulate(list);
        const turnEvents = run.lifecycle.flatMap((one) => ('turnId' in one ? [`${one.type} ${one.turnId}`] : []));
        expect(turnEvents).toEqual(turns.flatMap((turn) => [`turn_started ${turn}`, `turn_ended ${turn}`]));
        const opened = run.lifecycle.flatMap((one) => (one.type === 'ask_opened' ? [one.approval.approval_id] : []));
        const closed = run.lifecycle.flatMap((one) => (one.type === 'ask_closed' ? [one.approvalId] : []));
        expect(repeatsOf([...opened])).toEqual([]);
        expect(closed.toSorted()).toEqual(opened.toSorted());
        const ends = run.entries.flatMap((entry) =>
          entry.role === 'approval'
            ? [{ type: 'ask_closed', approvalId: entry.approval_id, status: entry.status }]
            : [],
        );
        expect(run.lifecycle.filter((one) => one.type === 'ask_closed')).toEqual(ends);
      }),
      { numRuns: 500 },
    );
  });

  test('[L3] what is stored alone gives the same view as what was shown', () => {
    const withoutRestart = moves.map((list) => list.filter((move) => move !== 'we restart'));
    fc.assert(
      fc.property(withoutRestart, (list) => {
        const { run } = simulate(list);
        const all = run.events.reduce(reduceConversation, EMPTY_VIEW);
        const stored = run.events.filter((event) => 'seq' in event).reduce(reduceConversation, EMPTY_VIEW);
        expect(stored).toEqual(all);
      }),
      { numRuns: 200 },
    );
  });

  test('[L4] nothing live is told of a thing that is stored already, and what is live names the last stored seq', () => {
    fc.assert(
      fc.property(moves, (list) => {
        const { run } = simulate(list);
        const stored = new Set<string>();
        let seq = run.events.find((event) => 'seq' in event)?.seq ?? 1;
        seq -= 1;
        for (const event of run.events) {
          if ('seq' in event) {
            expect(event.seq).toBe(++seq);
            if (event.entry.item_id && event.entry.role !== 'approval') stored.add(event.entry.item_id);
          } else {
            expect(event.after).toBe(seq);
            if (event.type === 'item') expect(stored).not.toContain(event.item.item_id);
            if ('delta' in event) expect(stored).not.toContain(event.item_id);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

test('[L7] what a conversation remembers is bounded', () => {
  const run = runOf(started('t'));
  for (let at = 0; at < 6_000; at++) run.state = route(run.state, end('t', say(`i${at}`, 'x')), 0).state;
  expect(run.state.recorded).toHaveLength(5_000);
  for (let at = 0; at < 300; at++) {
    accept(run, { type: 'message.stored', clientMessageId: `c${at}`, text: 'x' });
    accept(
      run,
      end(
        't',
        tool(`s${at}`, { status: 'completed', agent: { threadId: `child${at}`, path: '', activity: 'started' } }),
      ),
    );
    accept(run, started(`u${at}`));
    accept(run, completed(`u${at}`));
  }
  expect(run.state.sent.length).toBe(200);
  expect(run.state.children.length).toBe(200);
  expect(run.state.endedTurns.length).toBe(100);
  const long = runOf(started('t'), delta('t', 'm', 'x'.repeat(MAX_LIVE_TEXT)), delta('t', 'm', 'y'));
  expect(long.live.items[0]?.text.length).toBeLessThanOrEqual(MAX_LIVE_TEXT);
  expect(long.live.items).toEqual([Object.values(long.state.open)[0]?.live]);
});

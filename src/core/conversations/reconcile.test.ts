/** After a restart of ours: what is on disk, what we remembered beside it, and what Codex's history says, make one transcript. */
import { describe, expect, test } from 'vitest';
import {
  accept,
  clientsOf,
  createRun,
  digest,
  type Run,
  readRecording,
  replay,
  resumeRun,
  scenarios,
  TS,
} from '../../../test/recording.ts';
import {
  begin,
  CWD,
  command,
  completed,
  end,
  found,
  patch,
  runOf,
  say,
  started,
  THREAD,
  think,
  told,
  usage,
  user,
} from '../../../test/signals.ts';
import type { Entry } from '../../contract/entry.ts';
import type { Item } from '../codex/item.ts';
import type { OwnSignal, Signal, TurnRecord } from '../codex/signal.ts';
import { lampAfter, restore } from './reconcile.ts';
import { emptyThread } from './thread-state.ts';

type AnySignal = Signal | OwnSignal;

/** Only what the disk holds is carried over. */
function restarted({ state, entries, memory }: Run): Run {
  const kept: { entries: Entry[]; memory: Run['memory'] } = JSON.parse(JSON.stringify({ entries, memory }));
  const empty = emptyThread(state.conversationId, state.cwd, digest);
  return resumeRun(restore(empty, kept.entries, kept.memory), kept.entries);
}

/** What Codex's history holds of a turn once these signals have passed. */
function historyOf(signals: readonly AnySignal[], turnId: string): TurnRecord {
  const items = new Map<string, Item>();
  let end: Extract<Signal, { type: 'turn.completed' }> | null = null;
  for (const signal of signals) {
    if (signal.type === 'turn.completed' && signal.turnId === turnId) end = signal;
    if (end !== null || !('turnId' in signal) || signal.turnId !== turnId) continue;
    if (signal.type === 'item.completed') {
      items.delete(signal.item.id);
      items.set(signal.item.id, signal.item);
    }
    const isRunning =
      signal.type === 'item.started' && signal.item.kind === 'command' && signal.item.processId !== null;
    if (isRunning && signal.type === 'item.started') items.set(signal.item.id, signal.item);
  }
  return found(turnId, [...items.values()], {
    status: end?.status ?? 'running',
    failure: end?.failure ?? null,
    durationMs: end?.durationMs ?? null,
  });
}

/** Token counts, approvals, plans and partial messages are not in Codex's history. */
const isHistory = ({ role, event }: Entry) =>
  !['token_usage', 'approval', 'plan'].includes(role) && event !== 'orphaned';
/** Which call an MCP tool's approval is about shows only while the call is open here. */
const keyOf = ({ role, item_id }: Entry) => (role === 'approval' ? role : `${role} ${item_id}`);
/** A turn's entries up to its end; what comes late is another matter. */
function ofTurn(entries: readonly Entry[], turnId: string | undefined): Entry[] {
  const mine = entries.filter((entry) => entry.turn_id === turnId);
  const end = mine.findIndex((entry) => entry.role === 'status');
  return end < 0 ? mine : mine.slice(0, end + 1);
}

const pathsOf = (entries: readonly Entry[]) =>
  new Set(entries.flatMap((entry) => (entry.role === 'diff' ? entry.files.map((file) => file.path) : [])));

const threads = scenarios().flatMap((scenario) => {
  const wires = readRecording(scenario);
  return clientsOf(wires).flatMap((client) =>
    [...replay(wires.filter((one) => one.client === client)).runs].map(([threadId, run]) => ({
      name: `${scenario} ${client} …${threadId.slice(-4)}`,
      threadId,
      cwd: run.state.cwd,
      signals: run.accepted,
    })),
  );
});

/** Calls `check` with the run as it was after each signal, and with the signals that were still to come. */
function atEveryCut(
  { threadId, cwd, signals }: (typeof threads)[number],
  check: (run: Run, rest: readonly AnySignal[]) => void,
): void {
  const run = createRun(threadId, cwd);
  for (const [at, signal] of signals.entries()) {
    accept(run, signal);
    check(run, signals.slice(at + 1));
  }
}

describe.each(threads)('$name, cut after any signal', (thread) => {
  const whole = createRun(thread.threadId, thread.cwd);
  for (const signal of thread.signals) accept(whole, signal);

  test.each([0, 1, 2])(
    '[CV12] a turn that ended while we were away is told to its end, each entry once and in order (%i lost)',
    (lost) => {
      atEveryCut(thread, (run) => {
        const turnId = run.state.turn?.id;
        const again = restarted({ ...run, entries: run.entries.slice(0, run.entries.length - lost) });
        if (lost === 0) expect(again.state.turn?.id).toBe(turnId);
        if (turnId === undefined || again.state.turn?.id !== turnId) return;
        const history = historyOf(thread.signals, turnId);
        if (history.status === 'running') return;
        accept(again, { type: 'turns.found', turns: [history] });
        accept(again, { type: 'turns.found', turns: [history] });
        const isOver = (entry: Entry) =>
          !history.items.some((item) => 'status' in item && item.status === 'in_progress' && item.id === entry.item_id);
        const expected = ofTurn(whole.entries, turnId).filter((entry) => isHistory(entry) && isOver(entry));
        const withoutDiffs = (entries: readonly Entry[]) => entries.filter((entry) => entry.role !== 'diff').map(keyOf);
        expect(withoutDiffs(ofTurn(again.entries, turnId).filter(isHistory))).toEqual(withoutDiffs(expected));
        // A diff that was not told yet is made from the changes: then one row may stand for several.
        expect(pathsOf(ofTurn(again.entries, turnId))).toEqual(pathsOf(expected));
        const diffs = again.entries.flatMap((entry) => (entry.role === 'diff' ? [entry.diff_id] : []));
        expect(new Set(diffs).size).toBe(diffs.length);
        expect(again.state.turn).toBeNull();
      });
    },
  );

  test('[CV12] a turn that goes on is told as if nothing had happened', () => {
    atEveryCut(thread, (run, rest) => {
      const turnId = run.state.turn?.id;
      if (turnId === undefined) return;
      const again = restarted(run);
      const past = run.accepted.filter(
        (signal) => !('turnId' in signal && signal.turnId === turnId && signal.type === 'turn.completed'),
      );
      accept(again, { type: 'turns.found', turns: [historyOf(past, turnId)] });
      for (const signal of run.accepted) {
        const isOpen =
          signal.type === 'request' && Object.values(run.state.asks).some((one) => one.rpcId === signal.rpcId);
        if (isOpen) accept(again, signal);
      }
      const end = rest.findIndex((signal) => signal.type === 'turn.completed' && signal.turnId === turnId);
      for (const signal of end < 0 ? rest : rest.slice(0, end + 1)) accept(again, signal);
      const isKept = (entry: Entry) => entry.role !== 'token_usage' && entry.event !== 'orphaned';
      const expected = ofTurn(whole.entries, turnId).filter(isKept);
      expect(ofTurn(again.entries, turnId).filter(isKept).map(keyOf)).toEqual(expected.map(keyOf));
    });
  });

  test('[CV12] a history we know already changes nothing', () => {
    const run = createRun(thread.threadId, thread.cwd);
    for (const signal of thread.signals) {
      accept(run, signal);
      const turnId = run.state.turn?.id;
      if (turnId !== undefined) accept(run, { type: 'turns.found', turns: [historyOf(run.accepted, turnId)] });
    }
    expect(run.entries).toEqual(whole.entries);
  });
});

describe('after a restart', () => {
  test('[CV12] what a turn left on disk is known again', () => {
    const run = restarted(
      runOf(
        started('t'),
        end('t', user('u', 'go')),
        usage('t', 5),
        end('t', patch('p', 'completed')),
        { type: 'diff.updated', threadId: THREAD, turnId: 't', diff: 'A' },
        completed('t'),
        started('v'),
        end('v', think('r', 'hm')),
      ),
    );
    expect(run.state).toMatchObject({
      endedTurns: ['t'],
      turn: { id: 'v', startedAtMs: null },
      diffTurns: ['t'],
      usage: { total_tokens: 5 },
      activity: { state: 'running', turn_id: 'v', lamp: 'success' },
    });
    accept(run, completed('v', { durationMs: null }));
    expect(run.entries.at(-1)).toMatchObject({ role: 'status', duration_ms: null });
  });

  test('[PG235] the lamp shows how the last command of the person or the last turn ended', () => {
    const stamp = { seq: 1, ts: TS };
    const status: Entry = { ...stamp, role: 'status', status: 'success', turn_status: 'completed', duration_ms: 1 };
    const ended = (exit_code: number): Entry => {
      const printed = { stdout: '', stderr: '', duration_ms: 1 };
      return { ...stamp, role: 'shell_output', command: 'x', ...printed, exit_code, actor: 'user' };
    };
    expect(lampAfter([], 'off')).toBe('off');
    expect(lampAfter([status, ended(1)], 'off')).toBe('error');
    expect(lampAfter([ended(1), status], 'off')).toBe('success');
  });

  test('[CV12][CV7] an error that was told is not told again by the turn’s end', () => {
    const failed = { message: 'no', code: null };
    const run = restarted(
      runOf(started('t'), { type: 'error', threadId: THREAD, turnId: 't', failure: failed, willRetry: false }),
    );
    accept(run, { type: 'turns.found', turns: [found('t', [], { status: 'failed', failure: failed })] });
    expect(told(run)).toEqual(['error t no', 'status t error']);
  });

  test('[CV12] a plan that was only remembered is told at the end', () => {
    const run = restarted(
      runOf(started('t'), {
        type: 'plan.updated',
        threadId: THREAD,
        turnId: 't',
        steps: [{ step: 'A', status: 'completed' }],
        text: null,
      }),
    );
    accept(run, { type: 'turns.found', turns: [found('t', [])] });
    expect(told(run)).toEqual(['plan t-update-plan', 'status t success']);
  });

  test('[CV12] turns after the one we were in are told too; those before it are not', () => {
    const run = restarted(runOf(started('t'), end('t', user('u', 'go'))));
    accept(run, {
      type: 'turns.found',
      turns: [
        found('old', [say('o', 'old')]),
        found('t', [user('u', 'go'), say('m', 'x')]),
        found('v', [user('w', 'next')], { status: 'running' }),
      ],
    });
    expect(told(run)).toEqual(['user u go', 'assistant m x', 'status t success', 'user w next']);
    expect(run.state.turn?.id).toBe('v');
  });

  test('[CV5][CV12] a turn Codex knows nothing of is over', () => {
    for (const turns of [[], [found('other', [])]]) {
      const run = restarted(runOf(started('t'), end('t', user('u', 'go'))));
      accept(run, { type: 'turns.found', turns });
      expect(told(run).slice(0, 2)).toEqual(['user u go', 'status t warning']);
      expect(run.state.turn).toBeNull();
    }
    const idle = restarted(runOf());
    accept(idle, { type: 'turns.found', turns: [found('first', [user('u', 'go')])] });
    expect(told(idle)).toEqual(['user u go', 'status first success']);
  });

  test('[CV6][CV12] a command that goes on in the background is open again; what was cut off is told as interrupted', () => {
    const run = restarted(runOf(started('t'), end('t', user('u', 'go'))));
    const items = [command('c', { processId: '7' }), command('d')];
    accept(run, { type: 'turns.found', turns: [found('t', items, { status: 'interrupted' })] });
    expect(told(run)).toEqual(['user u go', 'command d interrupted', 'status t warning']);
    accept(run, end('t', command('c', { status: 'completed', exitCode: 0 })));
    expect(told(run).at(-1)).toBe('command c completed');
  });

  test('a memory without entries, and entries without a memory, are enough', () => {
    const asked = runOf(started('t'), begin('t', command('c')));
    const empty = emptyThread(asked.state.conversationId, CWD, digest);
    expect(restore(empty, [], asked.memory).turn?.id).toBe('t');
    expect(restore(empty, runOf(end('t', user('u', 'go'))).entries, null).turn?.id).toBe('t');
    expect(restore(empty, [], null)).toEqual(empty);
  });
});

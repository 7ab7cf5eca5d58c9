/** What each recorded session of the real Codex leaves behind, and the laws that hold for all of them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { restore } from '../src/core/conversations/reconcile.ts';
import { type ConversationView, EMPTY_VIEW, reduceConversation } from '../src/core/conversations/reduce.ts';
import { emptyThread } from '../src/core/conversations/thread-state.ts';
import {
  accept,
  bytesOf,
  clientsOf,
  digest,
  FIXTURES,
  type Run,
  readRecording,
  replay,
  resumeRun,
  scenarios,
  signalsOf,
  summaryOf,
} from './recording.ts';

const isUpdating = process.env.UPDATE_EXPECTED === '1';

const recordings = scenarios().map((scenario) => {
  const wires = readRecording(scenario);
  const clients = clientsOf(wires).map((client) => ({ client, wires: wires.filter((one) => one.client === client) }));
  return { scenario, clients };
});

/** All conversations of a recording, each brought to its end: what still waits or runs dies with Codex. */
function settledRuns({ clients }: (typeof recordings)[number]): Run[] {
  return clients.flatMap(({ wires }) => {
    const runs = [...replay(wires).runs.values()];
    for (const run of runs) accept(run, { type: 'codex.gone', reason: 'the recording ends here' });
    return runs;
  });
}

const repeatsOf = (list: readonly string[]): string[] => list.filter((one, at) => list.indexOf(one) !== at);

test('recordings are found', () => {
  expect(recordings.length).toBeGreaterThanOrEqual(21);
});

describe.each(recordings)('the recording $scenario', (recording) => {
  const { scenario, clients } = recording;

  test('[CV1] leaves exactly the entries, requests and live state that are expected', () => {
    const found = Object.fromEntries(clients.map(({ client, wires }) => [client, summaryOf(replay(wires))]));
    const path = join(FIXTURES, `${scenario}.expected.json`);
    if (isUpdating) writeFileSync(path, `${JSON.stringify(found, null, 2)}\n`);
    expect(JSON.parse(JSON.stringify(found))).toEqual(JSON.parse(readFileSync(path, 'utf8')));
  });

  test('[L2] gives the same signals however its bytes are cut', () => {
    for (const { wires } of clients) {
      const bytes = bytesOf(wires);
      const whole = signalsOf([bytes]);
      const cuts = fc.uniqueArray(fc.nat({ max: bytes.length }), { maxLength: 40 });
      fc.assert(
        fc.property(cuts, (places) => {
          const ends = [...places.sort((a, b) => a - b), bytes.length];
          const chunks = ends.map((end, at) => bytes.subarray(at === 0 ? 0 : ends[at - 1], end));
          expect(signalsOf(chunks)).toEqual(whole);
        }),
        { numRuns: 5 },
      );
    }
  });

  test('[L3] shows the same to a client that heard only what is stored', () => {
    for (const run of settledRuns(recording)) {
      const all = run.events.reduce(reduceConversation, EMPTY_VIEW);
      const stored = run.events.filter((event) => 'seq' in event).reduce(reduceConversation, EMPTY_VIEW);
      expect(settled(stored)).toEqual(settled(all));
      expect(all.live.items).toEqual([]);
      expect(all.live.approvals).toEqual([]);
    }
  });

  test('[L5] ends each turn and each request exactly once, and tells each item once', () => {
    for (const run of settledRuns(recording)) {
      const begun = run.accepted.flatMap((signal) => (signal.type === 'item.started' ? [signal.turnId] : []));
      const ended = run.entries.flatMap((entry) => (entry.role === 'status' ? [entry.turn_id ?? ''] : []));
      const answered = run.entries.flatMap((entry) => (entry.role === 'approval' ? [entry.approval_id] : []));
      const items = run.entries.flatMap(({ role, turn_id, item_id }) =>
        item_id ? [`${role} ${turn_id} ${item_id}`] : [],
      );
      expect(repeatsOf(ended)).toEqual([]);
      expect(begun.filter((turnId) => !ended.includes(turnId) && !isChildTurn(run, turnId))).toEqual([]);
      expect(answered).toEqual([...new Set(run.asks.map((ask) => ask.approval_id))]);
      expect(repeatsOf(items)).toEqual([]);
      expect(run.state.turn).toBeNull();
    }
  });
});

/** Codex tells the context meter again at every resume, so it alone may come from a live event. */
const settled = ({ live, ...view }: ConversationView) => ({ ...view, live: { ...live, usage: null } });

function isChildTurn(run: Run, turnId: string): boolean {
  return run.accepted.some(
    (signal) => 'turnId' in signal && signal.turnId === turnId && run.state.children.includes(signal.threadId ?? ''),
  );
}

describe('several connections, one after the other, as after a restart of ours', () => {
  const wires = readRecording('0.166.0/ws');
  const of = (client: string) => wires.filter((one) => one.client === client);

  /** Only what is on disk is carried over. */
  function restarted(run: Run): Run {
    const { conversationId, cwd } = run.state;
    const onDisk = JSON.parse(JSON.stringify({ entries: run.entries, memory: run.memory }));
    const state = restore(emptyThread(conversationId, cwd, digest), onDisk.entries, onDisk.memory);
    return resumeRun(state, onDisk.entries);
  }

  test('[CV12][AP5] a turn and a request that were open go on, and nothing is told twice', () => {
    const [[threadId = '', first] = []] = replay(of('A')).runs;
    if (first === undefined) throw new Error('the recording has no thread');
    const second = restarted(first);
    replay(of('C'), new Map([[threadId, second]]));
    const third = restarted(second);
    replay(of('D'), new Map([[threadId, third]]));

    const told = third.entries.map(
      (entry) => `${entry.role} ${'text' in entry ? entry.text : 'status' in entry ? entry.status : ''}`,
    );
    expect(told.filter((one) => !one.startsWith('token_usage'))).toEqual([
      'user one',
      'assistant hello',
      'status success',
      'user two',
      'approval accepted',
      'command completed',
      'assistant done',
      'status success',
      'user three',
      'approval accepted',
      'command completed',
      'assistant done2',
      'status success',
      'user four',
      'assistant part one',
      'assistant part two',
      'command completed',
      'assistant finished alone',
      'status success',
      'user five',
      'assistant first msg',
      'assistant streamed so far and the rest',
      'status success',
      'user six',
      'assistant six',
      'status success',
    ]);
    expect(second.asks).toEqual(first.asks.slice(1));
  });
});

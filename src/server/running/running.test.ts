/** What cannot be ended is said: in the answer, in the state, and in the transcript. */
import { expect, test } from 'vitest';
import { fail, ok } from '../../contract/result.ts';
import type { RunningCommand } from '../../contract/running.ts';
import type { SeenProcess } from '../../core/running/attribute.ts';
import type { Clock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { createRunning, type RunningPorts } from './running.ts';

const ID = `conv_${'1'.repeat(32)}`;

/** Time passes only by sleeping. */
function sleepingClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    monotonicMs: () => now,
    sleep: async (ms) => {
      now += ms;
    },
    setTimer: () => ({ cancel: () => undefined }),
  };
}

function stand(change: Partial<RunningPorts> = {}) {
  const warnings: string[] = [];
  const told: (readonly RunningCommand[])[] = [];
  const killed: string[] = [];
  // A start time that no process has: never signalled, and found again and again.
  const stubborn: SeenProcess = {
    pid: 4_000_000,
    parentPid: 1,
    session: 4_000_000,
    startTime: '1',
    uid: 0,
    mark: { threadId: 't', itemId: 'call' },
    command: 'stubborn program',
  };
  let open = [{ itemId: 'call', turnId: 'turn', command: 'make it run' }];
  const running = createRunning({
    clock: sleepingClock(),
    log: createLogger({ level: 'silent' }),
    scan: () => [stubborn],
    own: () => [],
    terminals: () => new Map(),
    ownerOf: (threadId) => (threadId === 't' ? ID : null),
    conversations: () => [ID],
    peek: () => ({
      threadId: 't',
      openCommands: () => open,
      hasItem: () => true,
      runningTurns: () => [],
      markEnding: () => undefined,
      endedCommand: async () => null,
      warn: (text) => void warnings.push(text),
    }),
    publish: (_id, list) => void told.push(list),
    codex: {
      listRunningCommands: async () => ok([{ itemId: 'call', processId: '7', command: 'make it run' }]),
      killCommand: async (_thread, processId) => {
        killed.push(processId);
        open = [];
        return ok(true);
      },
    },
    ...change,
  });
  return { running, warnings, told, killed };
}

test('[TN34] a process that survives SIGKILL is named in the answer, in the state and in a warning', async () => {
  const { running, warnings, told } = stand();
  const { ended, left } = await running.end(ID, null);
  expect(ended).toBe(0);
  expect(left).toMatchObject([{ state: 'not_ended', processes: [{ pid: 4_000_000 }] }]);
  expect(warnings).toEqual([expect.stringContaining('4000000 (stubborn program)')]);
  expect([...new Set(told.flat().map((one) => one.state))]).toEqual(['ending', 'killing', 'not_ended']);
});

test('[TN30] where the system shows no processes, Codex ends the command', async () => {
  const { running, killed, warnings } = stand({ scan: () => [] });
  expect(await running.end(ID, ['call'])).toEqual({ ended: 1, left: [] });
  expect(killed).toEqual(['7']);
  expect(warnings).toEqual([]);
});

test('[TN34] a Codex that cannot end commands leaves them in the list', async () => {
  const refuse = async () => fail('unknown_method', 'no such method');
  const { running } = stand({
    scan: () => [],
    codex: { listRunningCommands: refuse, killCommand: refuse },
  });
  expect(await running.end(ID, null)).toMatchObject({ ended: 0, left: [{ item_id: 'call', state: 'not_ended' }] });
});

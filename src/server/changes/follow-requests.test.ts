/** Pull requests are followed with a `gh` that answers as the real one; the clock is moved by hand. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ConversationId } from '../../contract/ids.ts';
import { createLogger } from '../../node/logger.ts';
import { createRunAsPerson } from '../../node/person-program.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { followRequests } from './follow-requests.ts';

const ID = ConversationId.parse('conv_00000000000000000000000000000001');
const OPENED = { tool: 'gh' as const, url: 'https://github.com/o/r/pull/7', branch: 'codex/fix' };

const GH = `#!/bin/sh
echo "$*" >> "$LOG"
[ "$1 $2 $3" = "pr view https://github.com/o/r/pull/7" ] && [ "$4 $5" = "--json state,headRefOid,statusCheckRollup" ] || exit 1
cat "$ANSWER"
`;

function openStand() {
  const dir = mkdtempSync(join(tmpdir(), 'requests-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const clock = createManualClock();
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  const script = GH.replaceAll('$LOG', join(dir, 'log')).replaceAll('$ANSWER', join(dir, 'answer'));
  writeFileSync(join(bin, 'gh'), script);
  chmodSync(join(bin, 'gh'), 0o755);
  writeFileSync(join(dir, 'log'), '');
  const events: unknown[] = [];
  const known = new Set([ID]);
  let isDiskFull = false;
  const open = async () => {
    const requests = await followRequests({
      folder: join(dir, 'changes'),
      runAsPerson: createRunAsPerson({ ...process.env, PATH: `${bin}:${process.env.PATH}` }),
      addressOf: (id) => (known.has(id) ? 'thread' : null),
      publish: async (event) => {
        if (!isDiskFull) events.push(event);
        return !isDiskFull;
      },
      clock,
      log: createLogger({ level: 'silent' }),
    });
    onTestFinished(() => requests.close());
    requests.start();
    return requests;
  };
  return {
    clock,
    events,
    known,
    open,
    fillDisk: (isFull: boolean) => {
      isDiskFull = isFull;
    },
    asked: () => readFileSync(join(dir, 'log'), 'utf8').split('\n').length - 1,
    answer: (commit: string, conclusion: string, state = 'OPEN') => {
      const check = { name: 'test', status: conclusion === '' ? 'IN_PROGRESS' : 'COMPLETED', conclusion };
      writeFileSync(
        join(dir, 'answer'),
        JSON.stringify({ state, headRefOid: commit.repeat(40), statusCheckRollup: [check] }),
      );
    },
    /** Moves the clock past the next question and waits until the one after it is planned, or nothing is followed any more. */
    async next(isLast = false) {
      const before = this.asked();
      clock.advance(30_000);
      await expect.poll(() => this.asked(), { interval: 5, timeout: 10_000 }).toBe(before + 1);
      if (!isLast) await expect.poll(() => clock.waiting(), { interval: 5, timeout: 10_000 }).toBe(1);
    },
  };
}

test('[CH202] each outcome of each commit is told once, until the request is closed', async () => {
  const stand = openStand();
  const requests = await stand.open();
  stand.answer('a', '');
  await requests.follow(ID, OPENED);
  await stand.next();
  expect(stand.events).toEqual([]);
  stand.answer('a', 'FAILURE');
  await stand.next();
  await expect.poll(() => stand.events.length).toBe(1);
  await stand.next();
  expect(stand.events).toHaveLength(1);
  stand.answer('b', 'SUCCESS');
  await stand.next();
  await expect.poll(() => stand.events.length).toBe(2);
  expect(stand.events).toMatchObject([
    { type: 'pull_request.checks_failed', routing: { thread_id: 'thread' } },
    { type: 'pull_request.checks_passed' },
  ]);
  stand.answer('b', 'SUCCESS', 'MERGED');
  await stand.next(true);
  await expect.poll(() => requests.followed()).toEqual([]);
});

test('[CH202] a restart goes on, and an event that could not be stored is told later', async () => {
  const stand = openStand();
  const first = await stand.open();
  stand.answer('a', 'FAILURE');
  stand.fillDisk(true);
  await first.follow(ID, OPENED);
  await stand.next();
  await first.close();
  expect(stand.events).toEqual([]);
  stand.fillDisk(false);
  const second = await stand.open();
  expect(second.followed()).toMatchObject([{ url: OPENED.url, told: null }]);
  await stand.next();
  await expect.poll(() => stand.events.length).toBe(1);
});

test('[CH202] a deleted conversation is asked for no more, and a strange address never', async () => {
  const stand = openStand();
  const requests = await stand.open();
  await requests.follow(ID, { ...OPENED, url: '--web' });
  expect(requests.followed()).toEqual([]);
  await requests.follow(ID, OPENED);
  stand.known.clear();
  stand.clock.advance(30_000);
  await expect.poll(() => requests.followed()).toEqual([]);
  expect(stand.asked()).toBe(0);
});

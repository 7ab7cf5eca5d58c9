/** The mark that descendants cannot take off. */
import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { canRaiseLimits, createLimitMark, readProcessLimit } from './limit-mark.ts';

const mark = createLimitMark();
const LIMITS = 'grep "^Max processes" /proc/self/limits';

test.skipIf(mark === null)(
  '[AG8] a marked process has the limit of its kind, and so has what it starts detached',
  () => {
    if (mark === null) return;
    for (const kind of ['agent', 'shell'] as const) {
      const [program = '', ...args] = mark.wrap(kind, ['env', '-i', 'setsid', '--fork', '--wait', 'sh', '-c', LIMITS]);
      expect(execFileSync(program, args, { encoding: 'utf8' })).toMatch(new RegExp(`\\s${mark[kind]}\\s+processes`));
    }
    expect(mark.agent).toBeLessThan(mark.shell);
    expect(mark.shell).toBeLessThan(readProcessLimit(process.pid)?.hard ?? 0);
  },
);

test.skipIf(mark === null || canRaiseLimits())('[AG8] the limit cannot be raised again', () => {
  if (mark === null) return;
  const [program = '', ...args] = mark.wrap('agent', ['prlimit', `--nproc=${mark.agent + 1}`]);
  const raised = spawnSync(program, args, { encoding: 'utf8' });
  expect(raised.status).not.toBe(0);
  expect(raised.stderr).toMatch('not permitted');
});

test('[AG8] a process that does not exist has no limit', () => {
  expect(readProcessLimit(2 ** 30)).toBeNull();
});

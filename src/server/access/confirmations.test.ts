/** The second confirmation: one challenge, one caller, one change, once, and in time. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Result } from '../../contract/result.ts';
import { stepsOfToken } from '../../core/access/step-up.ts';
import { createLogger } from '../../node/logger.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { type Confirmations, createConfirmations, type StepUp } from './confirmations.ts';
import { createPassword, type Password } from './password.ts';

let home = '';
let clock = createManualClock();
let password: Password;
let confirmations: Confirmations;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'signalbox-confirm-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));
beforeEach(async () => {
  await rm(join(home, 'password.json'), { force: true });
  clock = createManualClock();
  password = createPassword(home, clock);
  confirmations = createConfirmations({ password, clock, log: createLogger({ level: 'error' }) });
});

const session = { kind: 'session', id: 'one' } as const;
const step = (more: Partial<StepUp> = {}): StepUp => ({
  caller: session,
  steps: stepsOfToken(['read']),
  change: ['createToken', 'a'],
  confirm: undefined,
  ...more,
});

function challengeOf(result: Result<null>): { id: string } {
  if (result.ok || result.error.code !== 'confirmation_required') throw new Error('a challenge was expected');
  return { id: String(result.error.details?.confirm) };
}

test('[AT9] the same call with its challenge goes through, once', async () => {
  const confirm = challengeOf(await confirmations.require(step()));
  expect(await confirmations.require(step({ confirm }))).toEqual({ ok: true, value: null });
  expect((await confirmations.require(step({ confirm }))).ok).toBe(false);
});

test('[AT9] another change, another caller, a made-up id or a late one is asked again', async () => {
  const confirm = challengeOf(await confirmations.require(step()));
  const others: Partial<StepUp>[] = [
    { change: ['createToken', 'b'] },
    { steps: stepsOfToken(['run']) },
    { caller: { kind: 'session', id: 'two' } },
    { caller: { kind: 'token', id: 'one', scopes: [] } },
    { confirm: { id: 'x'.repeat(32) } },
  ];
  for (const other of others) expect((await confirmations.require(step({ confirm, ...other }))).ok).toBe(false);
  clock.advance(5 * 60_000);
  expect((await confirmations.require(step({ confirm }))).ok).toBe(false);
});

test('[AT7] what a token asks for is confirmed at a terminal, never by the token itself', async () => {
  const caller = { kind: 'token', id: 'server', scopes: ['read'] } as const;
  const confirm = challengeOf(await confirmations.require(step({ caller })));
  expect(challengeOf(await confirmations.require(step({ caller, confirm })))).toEqual(confirm);
  expect(confirmations.confirmAtTerminal(challengeOf(await confirmations.require(step())).id)).toBe(false);
  expect(confirmations.confirmAtTerminal(confirm.id)).toBe(true);
  expect((await confirmations.require(step({ caller, confirm }))).ok).toBe(true);
});

test('[AT10] with a password a confirmation needs it; wrong ones are counted, whoever asks', async () => {
  expect(await password.change(undefined, 'correct horse')).toEqual({ ok: true, value: { is_set: true } });
  const confirm = challengeOf(await confirmations.require(step()));
  const tried = await confirmations.require(step({ confirm: { ...confirm, password: 'wrong' } }));
  expect(tried).toMatchObject({ error: { details: { needs_password: true, problem: 'That is not the password.' } } });
  expect(challengeOf(tried)).toEqual(confirm);
  const guesses = Array.from({ length: 5 }, () =>
    confirmations.require(step({ confirm: { ...confirm, password: 'x' } })),
  );
  const codes = (await Promise.all(guesses)).map((one) => (one.ok ? 'ok' : one.error.code));
  expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(3);
  clock.advance(60_000);
  expect((await confirmations.require(step({ confirm: { ...confirm, password: 'correct horse' } }))).ok).toBe(true);
});

test('[AT10] changing or removing the password needs the one there is; a damaged file fits none', async () => {
  await password.change(undefined, 'correct horse');
  expect(await password.change(undefined, null)).toMatchObject({ error: { code: 'forbidden' } });
  expect(await password.change('correct horse', 'another horse')).toMatchObject({ ok: true });
  expect(await password.change('another horse', null)).toEqual({ ok: true, value: { is_set: false } });
  await writeFile(join(home, 'password.json'), '{');
  expect(await password.isSet()).toBe(true);
  expect(await password.check('')).toMatchObject({ error: { code: 'unauthorized' } });
});

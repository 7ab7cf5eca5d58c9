/** What has to be confirmed, and what is said about it. */
import { expect, test } from 'vitest';
import { describeSteps, stepsOfAnswer, stepsOfNew, stepsOfSettings, stepsOfToken, stepsOfTrust } from './step-up.ts';

const CAREFUL = { approval: 'on-request', sandbox: 'workspace-write' } as const;
const OPEN = { approval: 'never', sandbox: 'danger-full-access' } as const;

test.each([
  [CAREFUL, {}, []],
  [CAREFUL, { approval: 'untrusted', sandbox: 'read-only' }, []],
  [CAREFUL, { approval: 'never' }, ['never_ask']],
  [CAREFUL, { sandbox: 'danger-full-access' }, ['no_sandbox']],
  [CAREFUL, OPEN, ['never_ask', 'no_sandbox']],
  [{ ...CAREFUL, approval: 'never' }, { approval: 'never' }, []],
  [{ ...CAREFUL, approval: 'never' }, { sandbox: 'danger-full-access' }, ['no_sandbox']],
  [OPEN, OPEN, []],
] as const)('[AT9] from %j, %j needs a confirmation of %j', (before, patch, acts) => {
  expect(stepsOfSettings(before, patch).map(({ act }) => act)).toEqual(acts);
});

test('[AT9] both together are said together', () => {
  const { title, means } = describeSteps(stepsOfSettings(CAREFUL, OPEN));
  expect(title).toBe('Work without a sandbox?');
  expect(means).toHaveLength(3);
  expect(means[2]).toContain('all your rights');
});

test('[AT9] always allow says the rule that will be written; the other answers need nothing', () => {
  const ask = {
    kind: 'command',
    command: 'git push',
    actions: [],
    action: 'run',
    always_rule: ['git', 'push'],
  } as const;
  expect(stepsOfAnswer({ ...ask, actions: [], always_rule: [...ask.always_rule] }, { decision: 'accept' })).toEqual([]);
  const steps = stepsOfAnswer(
    { ...ask, actions: [], always_rule: [...ask.always_rule] },
    { decision: 'accept_always' },
  );
  expect(describeSteps(steps).means[0]).toContain('begins with this, without asking: git push');
});

test('[AT9] trusting a configuration says where and what; keeping it off needs nothing', () => {
  const folders = [{ path: '/work/app/.codex' }];
  expect(stepsOfTrust('kept_off', folders)).toEqual([]);
  const { title, means } = describeSteps(stepsOfTrust('trusted', folders));
  expect([title, means[0]]).toEqual(['Trust this configuration?', expect.stringContaining('/work/app/.codex')]);
});

test('[AT9] a token says what each of its scopes lets others do', () => {
  const { means } = describeSteps(stepsOfToken(['read', 'run']));
  expect(means).toEqual([expect.stringContaining('reads'), expect.stringContaining('any command as you')]);
});

const NEW = { cwd: '/work/app', kept: {}, remembered: {} };

test('[CS51] a loose setting that a project is to remember says so; what it remembers already is not asked about again', () => {
  const asked = stepsOfNew(CAREFUL, OPEN, { ...NEW, kept: { approval: 'never' } });
  expect(asked.map(({ act }) => act)).toEqual(['never_ask', 'no_sandbox']);
  expect(asked[0]?.means.at(-1)).toBe('New conversations in /work/app start with it too.');
  expect(asked[1]?.means.join()).not.toContain('New conversations');
  expect(stepsOfNew(OPEN, OPEN, { ...NEW, kept: OPEN, remembered: OPEN })).toEqual([]);
});

test('[CS51] a project does not come to remember a loose general setting without a confirmation', () => {
  expect(stepsOfNew(OPEN, { approval: 'never' }, NEW)).toEqual([]);
  const asked = stepsOfNew(OPEN, { approval: 'never' }, { ...NEW, kept: { approval: 'never' } });
  expect(asked.map(({ act }) => act)).toEqual(['never_ask']);
});

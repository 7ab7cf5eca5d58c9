/** The settings of a conversation that is about to begin. */
import { expect, test } from 'vitest';
import { choiceIn, choose, isRemembered, NO_CHOICE, startCall } from './start-choice.ts';

const DEFAULTS = { model: null, reasoning_effort: 'low', approval: 'on-request', sandbox: 'workspace-write' } as const;
const inA = choiceIn(NO_CHOICE, '/a');

test('[PG203] what is sent is what is shown; only what was chosen is remembered', () => {
  expect(startCall(inA, DEFAULTS)).toEqual(DEFAULTS);
  const chosen = choose(inA, DEFAULTS, { model: 'm' });
  expect(startCall(chosen, DEFAULTS)).toEqual({ ...DEFAULTS, model: 'm', remember: ['model'] });
  expect(startCall({ ...chosen, remember: false }, DEFAULTS)).toEqual({ ...DEFAULTS, model: 'm' });
});

test('[PG203] a choice that is taken back is no choice', () => {
  const back = choose(choose(inA, DEFAULTS, { model: 'm' }), DEFAULTS, { model: null });
  expect(startCall(back, DEFAULTS)).toEqual(DEFAULTS);
});

test('[PG204] never ask and no sandbox are remembered only if the person says so', () => {
  const loose = choose(inA, DEFAULTS, { approval: 'never', model: 'm' });
  expect(isRemembered(loose)).toBe(false);
  expect(startCall(loose, DEFAULTS)).not.toHaveProperty('remember');
  expect(startCall({ ...loose, remember: true }, DEFAULTS).remember?.toSorted()).toEqual(['approval', 'model']);
  expect(isRemembered(choose(inA, DEFAULTS, { sandbox: 'read-only' }))).toBe(true);
});

test('[PG204] in another directory the chosen settings are gone; plan mode stays', () => {
  const loose = { ...choose(inA, DEFAULTS, { sandbox: 'danger-full-access' }), mode: 'plan', remember: true } as const;
  expect(choiceIn(loose, '/a')).toBe(loose);
  expect(choiceIn(loose, '/b')).toEqual({ cwd: '/b', settings: {}, mode: 'plan', remember: null });
  expect(startCall(choiceIn(loose, '/b'), null)).toEqual({ mode: 'plan' });
});

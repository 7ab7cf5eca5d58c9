/** The life of a shell, whatever happens to it in whatever order. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ShellSpec } from '../../contract/shellspec.ts';
import { type Deed, hasProcess, type Life, type LifeEvent, NEW_LIFE, step } from './lifecycle.ts';

const restartOf = (restart: unknown) => ShellSpec.parse({ backend: 'proc', command: ['p'], restart }).restart;
const ON_FAILURE = restartOf({ policy: 'on-failure', max_restarts: 3, backoff_ms: 100, max_backoff_ms: 250 });

function play(events: readonly LifeEvent[], restart = ON_FAILURE, every = 1) {
  let life: Life = NEW_LIFE;
  const deeds: Deed[][] = [];
  events.forEach((event, at) => {
    const next = step(life, event, at * every, restart);
    life = next.life;
    deeds.push([...next.deeds]);
  });
  return { life, deeds };
}

const UP: LifeEvent[] = [{ type: 'up' }, { type: 'started' }];
const CRASH: LifeEvent = { type: 'ended', wasClean: false };
const AGAIN: LifeEvent[] = [{ type: 'due' }, { type: 'started' }, CRASH];

test('[SH8] the pause doubles up to its limit, and the fourth death in the window is the last', () => {
  const { life, deeds } = play([...UP, CRASH, ...AGAIN, ...AGAIN, ...AGAIN]);
  expect(deeds.flat().filter((deed) => deed.type === 'wait')).toEqual([
    { type: 'wait', ms: 100 },
    { type: 'wait', ms: 200 },
    { type: 'wait', ms: 250 },
  ]);
  expect(life).toMatchObject({ state: 'failed', isWanted: true });
});

test('[SH8] deaths long ago do not count, and an up forgives them all', () => {
  const { life } = play([...UP, CRASH, ...AGAIN, ...AGAIN, ...AGAIN, ...AGAIN], ON_FAILURE, 30_000);
  expect(life.state).toBe('waiting');
  expect(step({ ...life, state: 'failed' }, { type: 'up' }, 0, ON_FAILURE).life.deaths).toEqual([]);
});

test.each([
  ['never', false, 'failed'],
  ['never', true, 'exited'],
  ['on-failure', true, 'exited'],
  ['on-failure', false, 'waiting'],
  ['always', true, 'waiting'],
])('[SH8] policy %s, ended well %s: %s', (policy, wasClean, state) => {
  expect(play([...UP, { type: 'ended', wasClean }], restartOf(policy)).life.state).toBe(state);
});

test('[SH8] a stop is kept: neither its end nor a timer on its way starts it again', () => {
  expect(play([...UP, { type: 'stop' }, { type: 'ended', wasClean: false }, { type: 'due' }]).life).toMatchObject({
    state: 'stopped',
    isWanted: false,
  });
  const waiting = play([...UP, CRASH, { type: 'stop' }, { type: 'due' }]);
  expect(waiting.life.state).toBe('stopped');
  expect(waiting.deeds[3]).toEqual([{ type: 'cancel' }]);
});

test('[SH8] nobody wants a new one; an up and a restart do, also of one that runs or was stopped', () => {
  expect(NEW_LIFE.isWanted).toBe(false);
  const stopped = play([...UP, { type: 'stop' }, CRASH]).life;
  for (const type of ['up', 'restart'] as const) {
    expect(step(stopped, { type }, 0, ON_FAILURE).life).toMatchObject({
      state: 'starting',
      isWanted: true,
      deaths: [],
    });
    const unwanted = { ...play(UP).life, isWanted: false };
    expect(step(unwanted, { type }, 0, ON_FAILURE).life.isWanted).toBe(true);
  }
  expect(play([...UP, CRASH, { type: 'restart' }]).life.deaths).toEqual([]);
});

test('[SH9] an unhealthy one is ended and mourned; without a policy it is left alone', () => {
  const ended = play([...UP, { type: 'unhealthy' }, { type: 'ended', wasClean: true }]);
  expect(ended.deeds.slice(2)).toEqual([[{ type: 'terminate' }], [{ type: 'wait', ms: 100 }]]);
  expect(play([...UP, { type: 'unhealthy' }], restartOf('never')).life.state).toBe('running');
});

test('[SH8] two processes never: a spawn only without a process, a terminate only with one, and at most one timer', () => {
  const event = fc.constantFrom<LifeEvent>(
    { type: 'up' },
    { type: 'started' },
    { type: 'not_started' },
    { type: 'ended', wasClean: true },
    CRASH,
    { type: 'stop' },
    { type: 'restart' },
    { type: 'due' },
    { type: 'unhealthy' },
  );
  const policy = fc.constantFrom('never', 'on-failure', 'always');
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), policy, (events, name) => {
      const restart = restartOf({ policy: name, max_restarts: 3 });
      let life: Life = NEW_LIFE;
      let isAlive = false;
      let isTimed = false;
      events.forEach((one, at) => {
        // Only what can happen: an end needs a process, a timer must be armed.
        if ((one.type === 'ended' || one.type === 'started' || one.type === 'not_started') && !isAlive) return;
        if (one.type === 'due' && !isTimed) return;
        if (one.type === 'ended' || one.type === 'not_started') isAlive = false;
        if (one.type === 'due') isTimed = false;
        const next = step(life, one, at, restart);
        life = next.life;
        for (const deed of next.deeds) {
          if (deed.type === 'spawn') {
            expect(isAlive).toBe(false);
            isAlive = true;
            isTimed = false;
          } else if (deed.type === 'terminate') expect(isAlive).toBe(true);
          else {
            expect(isTimed).toBe(deed.type === 'cancel');
            isTimed = deed.type === 'wait';
          }
        }
        expect(hasProcess(life.state)).toBe(isAlive);
      });
    }),
  );
});

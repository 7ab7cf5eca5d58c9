/** Tasks that run one at a time. */
import { expect, test } from 'vitest';
import { createKeyedSerial, createSerial } from './serial.ts';

function createGate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

test('a task starts when the one before has ended, in the order given', async () => {
  const serial = createSerial();
  const steps: string[] = [];
  const gate = createGate();
  const first = serial.run(async () => {
    steps.push('first begins');
    await gate.opened;
    steps.push('first ends');
    return 1;
  });
  const second = serial.run(() => {
    steps.push('second');
    return 2;
  });
  gate.open();
  expect(await Promise.all([first, second])).toEqual([1, 2]);
  expect(steps).toEqual(['first begins', 'first ends', 'second']);
});

test('a task that fails tells its caller and keeps nobody from running', async () => {
  const serial = createSerial();
  const rejected = serial.run(() => Promise.reject(new Error('rejected')));
  const thrown = serial.run(() => {
    throw new Error('thrown');
  });
  const third = serial.run(() => 3);
  await expect(rejected).rejects.toThrow('rejected');
  await expect(thrown).rejects.toThrow('thrown');
  expect(await third).toBe(3);
});

test('idle waits for the tasks given before it, and never rejects', async () => {
  const serial = createSerial();
  await serial.idle();
  const ended: string[] = [];
  const gate = createGate();
  const failing = serial.run(async () => {
    await gate.opened;
    ended.push('failing');
    throw new Error('no');
  });
  failing.catch(() => undefined);
  const idle = serial.idle();
  const later = serial.run(() => ended.push('later'));
  gate.open();
  await idle;
  expect(ended[0]).toBe('failing');
  await later;
});

test('a task may give the next one', async () => {
  const serial = createSerial();
  const ran: number[] = [];
  let inner: Promise<unknown> = Promise.resolve();
  await serial.run(() => {
    ran.push(1);
    inner = serial.run(() => ran.push(2));
  });
  await inner;
  expect(ran).toEqual([1, 2]);
});

test('with keys: tasks of one key run in order and fail for their caller alone; another key does not wait', async () => {
  const serial = createKeyedSerial<string>();
  const steps: string[] = [];
  const gate = createGate();
  const first = serial.run('a', () => gate.opened.then(() => steps.push('a1')));
  const second = serial.run('a', () => Promise.reject(new Error('a2')));
  const third = serial.run('a', () => steps.push('a3'));
  await serial.run('b', () => steps.push('b1'));
  expect(steps).toEqual(['b1']);
  gate.open();
  await expect(second).rejects.toThrow('a2');
  await serial.idle('a');
  await Promise.all([first, third]);
  expect(steps).toEqual(['b1', 'a1', 'a3']);
  await serial.allIdle();
});

/** Every subscriber hears every value, once, in the same order. */
import { expect, test } from 'vitest';
import { createBus } from './bus.ts';

test('a subscriber that throws hurts no other', () => {
  const errors: unknown[] = [];
  const heard: number[] = [];
  const bus = createBus<number>((error) => errors.push(error));
  bus.subscribe(() => {
    throw new Error('no');
  });
  const unsubscribe = bus.subscribe((value) => heard.push(value));
  bus.emit(1);
  unsubscribe();
  bus.emit(2);
  expect(heard).toEqual([1]);
  expect(errors).toHaveLength(2);
});

test('what is emitted by a subscriber comes after, for all of them', () => {
  const heard: string[] = [];
  const bus = createBus<number>(() => undefined);
  bus.subscribe((value) => {
    if (value === 1) bus.emit(2);
    heard.push(`first ${value}`);
  });
  bus.subscribe((value) => heard.push(`second ${value}`));
  bus.emit(1);
  expect(heard).toEqual(['first 1', 'second 1', 'first 2', 'second 2']);
});

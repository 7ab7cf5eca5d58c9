/** Work of one key runs in order, also behind work that fails. */
import { expect, test } from 'vitest';
import { createKeyedQueue } from './keyed-queue.ts';

test('work of one key runs in the order it was added, also after a failure', async () => {
  const done: string[] = [];
  const failed: unknown[] = [];
  const queue = createKeyedQueue<string>((error, key) => failed.push([key, error]));
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  void queue.add('a', () => gate.then(() => done.push('a1')));
  void queue.add('a', () => Promise.reject(new Error('a2')));
  void queue.add('a', () => done.push('a3'));
  await queue.add('b', () => done.push('b1'));
  expect(done).toEqual(['b1']);
  open();
  await queue.idle('a');
  expect(done).toEqual(['b1', 'a1', 'a3']);
  expect(failed).toEqual([['a', new Error('a2')]]);
  await queue.allIdle();
});

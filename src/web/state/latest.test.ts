/** One question at a time. */
import { expect, test } from 'vitest';
import { createLatest } from './latest.ts';

function setup() {
  const asked: string[] = [];
  const told: string[] = [];
  const answers: (() => void)[] = [];
  const latest = createLatest<string, string>(
    (question) => {
      asked.push(question);
      return new Promise((resolve) => answers.push(() => resolve(question.toUpperCase())));
    },
    (answer) => told.push(answer),
  );
  const answer = async () => {
    answers.shift()?.();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { asked, told, latest, answer };
}

test('what was typed meanwhile is asked once, the newest only', async () => {
  const { asked, told, latest, answer } = setup();
  for (const one of ['a', 'ab', 'abc']) latest.ask(one);
  expect(asked).toEqual(['a']);
  await answer();
  expect(asked).toEqual(['a', 'abc']);
  await answer();
  expect(told).toEqual(['A', 'ABC']);
});

test('a closed list hears nothing more', async () => {
  const { asked, told, latest, answer } = setup();
  latest.ask('a');
  latest.ask('b');
  latest.forget();
  await answer();
  expect(asked).toEqual(['a']);
  expect(told).toEqual([]);
});

/** One point per turn, in order. */
import { expect, test } from 'vitest';
import { seriesOf } from './usage-series.ts';

test('turns are counted from one', () => {
  const point = { seq: 1, ts: '', turn_id: 't', input_tokens: 1, cached_input_tokens: 0, context_window: null };
  expect(
    seriesOf([
      { ...point, total_tokens: 5, output_tokens: 2 },
      { ...point, total_tokens: 9, output_tokens: 3 },
    ]),
  ).toEqual({ turns: [1, 2], context: [5, 9], written: [2, 3] });
});

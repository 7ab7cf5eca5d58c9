/** What the server says of each turn → the lines of the plot. */
import type { RouteOutput } from '../../contract/routes.ts';

type Points = RouteOutput<'usage'>['points'];

export interface Series {
  readonly turns: readonly number[];
  readonly context: readonly number[];
  readonly written: readonly number[];
}

export function seriesOf(points: Points): Series {
  return {
    turns: points.map((_, at) => at + 1),
    context: points.map((point) => point.total_tokens),
    written: points.map((point) => point.output_tokens),
  };
}

/** The lines every bench prints: `name  ours  baseline  ratio  goal`. Only ratios taken in one run mean something on a shared machine. */

const WIDTHS = [46, 16, 16, 10];
let hasHeader = false;

/**
 * `ours` and `baseline` are texts with their unit. `ratio` is compared with `goal` (`['≥', 4.5]` or `['≤', 1.2]`);
 * `show` says how a ratio that is no ratio but a difference or a size is printed.
 */
export function report({ name, ours, baseline = '–', ratio, goal, show = times }) {
  if (!hasHeader) print(['name', 'ours', 'baseline', 'ratio'], 'goal');
  hasHeader = true;
  const isMissed = goal !== undefined && !(goal[0] === '≥' ? ratio >= goal[1] : ratio <= goal[1]);
  const wanted = goal === undefined ? '' : `${goal[0]} ${show(goal[1])}${isMissed ? '  missed' : ''}`;
  print([name, ours, baseline, ratio === undefined ? '–' : show(ratio)], wanted);
}

export function note(text) {
  process.stdout.write(`  ${text}\n`);
}

function print(cells, last) {
  const padded = cells.map((cell, at) => (at === 0 ? cell.padEnd(WIDTHS[at]) : cell.padStart(WIDTHS[at])));
  process.stdout.write(`${padded.join(' ')}  ${last}\n`);
}

export const times = (value) => `${round(value)}×`;
export const ms = (value) => `${round(value)} ms`;
export const mb = (value) => `${round(value)} MB`;
export const perSecond = (value) => `${Math.round(value).toLocaleString('en')}/s`;

function round(value) {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits);
}

/** For times: whatever else the machine does only ever adds to them. */
export const best = (values) => Math.min(...values);

export const median = (values) => percentile(values, 0.5);

export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

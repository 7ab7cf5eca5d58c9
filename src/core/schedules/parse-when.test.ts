/** Words for times: what they become, and what is refused. */
import { expect, test } from 'vitest';
import { parseWhen, whenOf } from './parse-when.ts';

const AT = {
  nowMs: Date.parse('2026-11-19T10:00:00Z'),
  today: '2026-11-19',
  timeZone: 'Europe/Berlin',
  toUtcMs: (local: string) => Date.parse(`${local}+01:00`),
};
const when = (text: string) => {
  const spoken = parseWhen(text);
  return spoken.ok ? whenOf(spoken.value, AT) : spoken;
};

test.each([
  ['in 20 minutes', '2026-11-19T10:20:00.000Z'],
  ['in 1 day', '2026-11-20T10:00:00.000Z'],
  ['today at 18:30', '2026-11-19T17:30:00.000Z'],
  ['tomorrow at 8:00', '2026-11-20T07:00:00.000Z'],
  ['Tomorrow  at 8 pm', '2026-11-20T19:00:00.000Z'],
  ['tomorrow at 12 am', '2026-11-19T23:00:00.000Z'],
  ['2026-12-24 18:00', '2026-12-24T17:00:00.000Z'],
  ['2026-12-24T18:00Z', '2026-12-24T18:00:00.000Z'],
  ['2026-12-24T18:00:30+05:30', '2026-12-24T12:30:30.000Z'],
])('[SC1] once: %s', (text, at) => {
  expect(when(text)).toEqual({ ok: true, value: { kind: 'once', at } });
});

test.each([
  ['every hour', '0 * * * *'],
  ['every 15 minutes', '*/15 * * * *'],
  ['every 60 minutes', '0 * * * *'],
  ['every 6 hours', '0 */6 * * *'],
  ['every day at 9:00', '0 9 * * *'],
  ['every weekday at 8:30', '30 8 * * 1-5'],
  ['every weekend at 10 am', '0 10 * * 6,0'],
  ['every Monday at 7:05', '5 7 * * 1'],
  ['0 9 * * mon-fri', '0 9 * * mon-fri'],
])('[SC1] again and again: %s', (text, cron) => {
  expect(when(text)).toEqual({ ok: true, value: { kind: 'cron', cron, time_zone: 'Europe/Berlin' } });
});

test.each([
  'soon',
  'every 7 minutes',
  'every 5 hours',
  'every someday at 9:00',
  'tomorrow at 9',
  'tomorrow at 25:00',
  'tomorrow at 13 pm',
  'today at 8:00',
  '2020-01-01 00:00',
  '2026-13-01T00:00Z',
  '* * * *',
  '* * * * * *',
  '0 9 * * 1; rm',
])('[SC1] refused: %s', (text) => {
  expect(when(text).ok).toBe(false);
});

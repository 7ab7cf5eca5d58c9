/** Pages of events put together. */
import { expect, test } from 'vitest';
import type { EventRecord } from '../../contract/external-event.ts';
import { withNewest, withOlder } from './event-pages.ts';

const record = (event_seq: number, read = false): EventRecord => ({
  event_seq,
  event_id: `e${event_seq}`,
  received_at: '2026-01-01T00:00:00.000Z',
  time_unix_ms: 0,
  type: 'a.b',
  severity: 'info',
  title: 't',
  summary: '',
  source: { name: 's' },
  trust: { authenticated: true, origin: 'local' },
  ingress: 'http',
  state: 'queued',
  read,
});
/** From one number down to another, as a page has them. */
const down = (from: number, to: number, read = false) =>
  Array.from({ length: from - to + 1 }, (_, at) => record(from - at, read));
const seqs = (held: { readonly events: readonly EventRecord[] }) => held.events.map(({ event_seq }) => event_seq);

test('[EP3] the newest page goes before what was paged back to, and what it covers is as the page says', () => {
  const held = { events: down(10, 3), next: 3 };
  const merged = withNewest(held, { events: down(12, 8, true), next: 8 });
  expect(seqs(merged)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  expect(merged.next).toBe(3);
  expect(merged.events.filter(({ read }) => read)).toHaveLength(5);
});

test('[EP3] where more arrived than a page holds, the list begins anew instead of leaving some out', () => {
  const page = { events: down(30, 21), next: 21 };
  expect(withNewest({ events: down(10, 3), next: 3 }, page)).toBe(page);
  expect(withNewest({ events: down(21, 12), next: 12 }, page).next).toBe(12);
});

test('[EP3] a page that is the last is all there is', () => {
  const page = { events: down(5, 4), next: null };
  expect(withNewest({ events: down(5, 1), next: null }, page)).toBe(page);
});

test('[EP3] an older page is added once, and only where the list still ends there', () => {
  const held = { events: down(10, 6), next: 6 };
  const page = { events: down(5, 3), next: 3 };
  const more = withOlder(held, 6, page);
  expect(seqs(more)).toEqual([10, 9, 8, 7, 6, 5, 4, 3]);
  expect(withOlder(more, 6, page)).toBe(more);
});

/** What people are told of a field that does not fit. */
import { expect, test } from 'vitest';
import { ExternalEventInput } from '../../contract/external-event.ts';
import { describeIssue } from './describe-issue.ts';

const event = {
  schema_version: 1,
  event_id: 'e',
  time_unix_ms: 1,
  type: 'a.b',
  title: 't',
  routing: { thread_id: 'thr' },
};

test.each([
  [{ title: undefined }, 'title is missing'],
  [{ title: 7 }, 'title: expected string, received number'],
  [{ severity: 'fatal' }, 'severity: expected one of "debug", "info", "warning", "error", "critical"'],
  [{ type: 'no spaces' }, 'type: expected dot-separated words'],
  [{ source: { name: undefined } }, 'source.name is missing'],
  [{ schema_version: 2 }, 'schema_version: expected 1'],
])('[EV1] %o: %s', (change, words) => {
  const parsed = ExternalEventInput.safeParse({ ...event, ...change });
  expect(describeIssue(parsed.error?.issues[0])).toBe(words);
});

test('[EV1] what is wrong as a whole has no field', () => {
  expect(describeIssue({ path: [], message: 'Invalid input: expected object, received array' })).toBe(
    'expected object, received array',
  );
  expect(describeIssue(undefined)).toBe('not as expected');
});

/** The quick look at an event never lets through what the schema refuses or would change. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExternalEventInput } from '../../contract/external-event.ts';
import { maybeUnclean } from './admit.ts';
import { isPlainEnvelope } from './plain-envelope.ts';

const USUAL = {
  schema_version: 1,
  event_id: 'evt_1',
  time_unix_ms: 1_730_831_111_000,
  type: 'build.completed',
  severity: 'info',
  source: { name: 'buildkite', instance: 'org/repo', run_id: 'build-1', url: 'https://ci.example/1' },
  routing: { thread_id: 'thr_1', correlation_id: 'release-1' },
  title: 'Build finished',
  summary: '',
  payload: { job: 'linux', tests: { failed: 2 } },
};

const isTakenUnchanged = (value: unknown): boolean => {
  const parsed = ExternalEventInput.safeParse(value);
  return parsed.success && JSON.stringify(sorted(parsed.data)) === JSON.stringify(sorted(value));
};

/** The same whatever order its keys came in. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  );
}

test('[EV1] the event CI systems send is plain, with and without what may be left out', () => {
  const { payload: _payload, ...least } = { ...USUAL, source: { name: 'ci' }, routing: { thread_id: 'thr_1' } };
  expect([isPlainEnvelope(USUAL, false), isPlainEnvelope(least, true)]).toEqual([true, true]);
});

/** What one field may be instead: wrong in kind, in length, in form, or right. */
const anything = fc.oneof(
  fc.constantFrom<unknown>(
    0,
    1,
    -1,
    1.5,
    8.64e15,
    8.65e15,
    2 ** 53,
    null,
    true,
    '',
    'a',
    'a.b',
    'a..b',
    'a b',
    'é',
    'a\nb',
    '\x7f',
  ),
  fc.constantFrom<unknown>('info', 'fatal', 'x'.repeat(64), 'x'.repeat(65), 'x'.repeat(128), 'x'.repeat(129), [], {}),
  fc.constantFrom<unknown>('x'.repeat(257), 'x'.repeat(513), 'x'.repeat(2_049), { name: '' }, { thread_id: 'ä' }),
  fc.jsonValue(),
);
const changed = (whole: Record<string, unknown>, more: readonly string[]) =>
  fc
    .tuple(
      fc.array(fc.constantFrom(...Object.keys(whole)), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom(...Object.keys(whole), ...more), anything, { maxKeys: 3 }),
    )
    .map(([without, other]) => {
      const left = Object.entries({ ...whole, ...other }).filter(([key]) => !without.includes(key));
      return Object.fromEntries(left);
    });

const envelope = fc
  .tuple(
    changed(USUAL, ['artifacts', 'suggested_actions', 'trust', 'extra']),
    fc.option(changed(USUAL.source, ['labels', 'extra'])),
    fc.option(changed(USUAL.routing, ['turn_id', 'hops', 'extra'])),
  )
  .map(([whole, source, routing]) => ({ ...whole, ...(source && { source }), ...(routing && { routing }) }));

test('[EV1] whatever is plain is taken by the schema, and not changed by it', () => {
  let plain = 0;
  fc.assert(
    fc.property(envelope, (value) => {
      const text = JSON.stringify(value);
      // What needs cleaning never comes here.
      if (maybeUnclean(text) || !isPlainEnvelope(value, text.includes('\\'))) return;
      plain += 1;
      expect(isTakenUnchanged(value)).toBe(true);
    }),
    { numRuns: 20_000 },
  );
  // Else the property would say nothing.
  expect(plain).toBeGreaterThan(150);
});

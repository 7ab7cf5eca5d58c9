/** Files for a mention: the list ends with the answer to what was typed last, however late the answers come. */
import { expect, test } from 'vitest';
import type { Mentioned } from '../state/file-commands.ts';
import { createMentionLookup } from './mention-lookup.ts';

const answer = (path: string, isComplete = true): Mentioned => ({
  files: [{ path, type: 'file' }],
  is_complete: isComplete,
  is_stale: false,
  indexed: 1,
});

function stand() {
  const asked: { readonly query: string; readonly reply: (found: Mentioned | null) => void }[] = [];
  const told: (string | null)[] = [];
  const timers = new Set<() => void>();
  const lookup = createMentionLookup({
    find: (query) => new Promise((reply) => asked.push({ query, reply })),
    tell: (found) => told.push(found?.files[0]?.path ?? null),
    later: (run) => {
      timers.add(run);
      return () => timers.delete(run);
    },
  });
  return {
    lookup,
    told,
    queries: () => asked.map(({ query }) => query),
    async reply(found: Mentioned | null) {
      const next = asked.findLast(() => true);
      next?.reply(found);
      await Promise.resolve();
      await Promise.resolve();
    },
    /** As many times as there are timers now. */
    pass() {
      for (const run of [...timers]) {
        timers.delete(run);
        run();
      }
    },
  };
}

test('[PG31] an earlier query is not asked again while the answer to the newer one is on its way', async () => {
  const { lookup, told, queries, reply, pass } = stand();
  lookup.want('');
  lookup.want('prs');
  await reply(answer('any.ts', false));
  pass();
  await reply(answer('parser.ts'));
  pass();
  expect(queries()).toEqual(['', 'prs']);
  expect(told.at(-1)).toBe('parser.ts');
});

test('[PG31] while the project is being listed the query is asked again, until the list is whole', async () => {
  const { lookup, told, queries, reply, pass } = stand();
  lookup.want('prs');
  await reply(answer('one.ts', false));
  pass();
  await reply(answer('two.ts'));
  pass();
  expect(queries()).toEqual(['prs', 'prs']);
  expect(told).toEqual(['one.ts', 'two.ts']);
});

test('[PG31] files that cannot be read leave no list of an earlier query; nothing is told once the mention is gone', async () => {
  const { lookup, told, reply } = stand();
  lookup.want('a');
  await reply(answer('a.ts'));
  lookup.want('ab');
  await reply(null);
  expect(told).toEqual(['a.ts', null]);
  lookup.want('abc');
  lookup.want(null);
  await reply(answer('late.ts'));
  expect(told).toEqual(['a.ts', null]);
});

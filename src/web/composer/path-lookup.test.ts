/** Late, partial and missing answers about paths. */
import { expect, test } from 'vitest';
import { createPathLookup, type FoundPaths, type KnownPaths } from './path-lookup.ts';

function setup() {
  const asked: string[] = [];
  const told: KnownPaths[] = [];
  const answers: ((found: FoundPaths | null) => void)[] = [];
  const laters: (() => void)[] = [];
  const lookup = createPathLookup({
    find: (word) => {
      asked.push(word);
      return new Promise((resolve) => answers.push(resolve));
    },
    tell: (known) => told.push(known),
    later: (run) => {
      laters.push(run);
      return () => laters.splice(laters.indexOf(run), 1);
    },
  });
  const answer = async (paths: readonly string[] | null, isWhole = true) => {
    answers.shift()?.(paths === null ? null : { paths, isWhole });
    await Promise.resolve();
    await Promise.resolve();
  };
  return { asked, told, laters, lookup, answer };
}

test('[TP4] a late answer to an earlier word takes nothing away that still fits', async () => {
  const { asked, told, lookup, answer } = setup();
  lookup.want('');
  await answer(['README.md', 'lib/']);
  for (const word of ['c', 'ca', '', 'R', 'READ']) lookup.want(word);
  expect(asked).toEqual(['', 'c']);
  await answer([]);
  expect(told.at(-1)).toEqual({ paths: ['README.md'], answered: null });
  await answer(['README.md', 'docs/READING.md']);
  expect(told.at(-1)).toEqual({ paths: ['README.md', 'docs/READING.md'], answered: 'READ' });
});

test('[TP4] a late answer to an earlier word adds what fits', async () => {
  const { told, lookup, answer } = setup();
  lookup.want('R');
  lookup.want('READ');
  await answer(['README.md', 'RULES.md']);
  expect(told).toEqual([{ paths: ['README.md'], answered: null }]);
});

test('[TP4] the answer to the word takes away what is gone', async () => {
  const { told, lookup, answer } = setup();
  lookup.want('RE');
  await answer(['README.md', 'RELEASE.md']);
  lookup.want('REL');
  await answer([]);
  expect(told.at(-1)).toEqual({ paths: [], answered: 'REL' });
});

test('[TP4] no answer keeps what is known, and is not waited for', async () => {
  const { told, lookup, answer } = setup();
  lookup.want('RE');
  await answer(['README.md']);
  lookup.want('REA');
  await answer(null);
  expect(told.at(-1)).toEqual({ paths: ['README.md'], answered: 'REA' });
});

test('[TP4] a word with a partial answer is asked again, until it is whole or another word is wanted', async () => {
  const { asked, told, laters, lookup, answer } = setup();
  lookup.want('RE');
  await answer(['README.md'], false);
  expect(told.at(-1)).toEqual({ paths: ['README.md'], answered: 'RE' });
  laters.shift()?.();
  expect(asked).toEqual(['RE', 'RE']);
  await answer([], false);
  expect(told.at(-1)?.paths).toEqual(['README.md']);
  lookup.want('REL');
  expect(laters).toEqual([]);
  await answer(['RELEASE.md'], false);
  lookup.close();
  expect(laters).toEqual([]);
  expect(asked).toEqual(['RE', 'RE', 'REL']);
});

test('[TP4] a flag is not looked up', () => {
  const { asked, lookup } = setup();
  lookup.want('--flag');
  expect(asked).toEqual([]);
});

/** Which paths fit a query and in which order, letter by letter and at once; and the table they lie in. */
import { describe, expect, test } from 'vitest';
import { extendsQuery, NO_MATCH, parseQuery, scorePath } from './match.ts';
import { createPathLister, type PathTable, sizeOf } from './path-table.ts';
import { searchPaths } from './search-paths.ts';

function listed(...paths: string[]) {
  const lister = createPathLister();
  lister.push(new TextEncoder().encode(paths.map((path) => `${path}\0`).join('')));
  return lister;
}

const pathsOf = (table: PathTable): string[] =>
  Array.from({ length: table.count }, (_none, index) =>
    new TextDecoder().decode(table.bytes.subarray(table.starts[index], (table.starts[index + 1] ?? 1) - 1)),
  );

function found(query: string, ...paths: string[]): string[] {
  const { files } = listed(...paths);
  const search = searchPaths(files, parseQuery(query), 10, null);
  search.step(paths.length);
  const all = pathsOf(files);
  return search.best().map(({ index }) => all[index] ?? '');
}

describe('the order of matches', () => {
  test.each([
    ['match', ['src/match.ts', 'match/src.ts'], 'the last segment before a directory'],
    ['match', ['src/match.ts', 'src/rematch.ts'], 'the start of a word before its middle'],
    ['match', ['src/match.ts', 'src/match-path.ts'], 'the whole name before a part of it'],
    ['match', ['match.ts', 'a/b/c/match.ts'], 'the shorter path'],
    ['uc', ['UserController.ts', 'ubac.ts', 'truck.ts'], 'word starts before letters in between'],
    ['pt', ['path-table.ts', 'apt-x.ts', 'option.ts'], 'the start of a name before a run'],
    ['read', ['README.md', 'thread.ts'], 'whatever the case'],
    ['corefiles', ['core/files/x.ts', 'codore/fo/iles.ts'], 'over several segments'],
    ['src/ma', ['src/match.ts', 'src/other/main.ts'], 'with a slash'],
    ['ma tch', ['match.ts'], 'spaces do not count'],
    ['./match', ['match.ts'], 'a dot and slash in front do not count'],
    ['größe', ['größe.txt'], 'letters beyond ASCII'],
  ])('[FL2] %s: %s', (query, expected) => {
    expect(found(query, ...[...expected].reverse())).toEqual(expected);
  });

  test('[FL2] without a query the top of the tree comes first', () => {
    expect(found('', 'a/b/c.ts', 'long-name.ts', 'z.ts', 'a/b.ts')).toEqual([
      'z.ts',
      'long-name.ts',
      'a/b.ts',
      'a/b/c.ts',
    ]);
  });

  test('[FL2] what lacks a letter or has them in another order does not fit', () => {
    const { files } = listed('ab.ts');
    for (const typed of ['ba', 'abc', 'ä', 'st', 'a/b']) expect(scorePath(files, 0, parseQuery(typed))).toBe(NO_MATCH);
  });

  test('[FL2] one letter prefers names that begin with it, among very many', () => {
    const many = Array.from({ length: 500 }, (_none, at) => `dir${at}/xmx${at}.ts`);
    expect(found('m', ...many, 'a/b/c/d/main.ts').at(0)).toBe('a/b/c/d/main.ts');
  });
});

describe('narrowing', () => {
  const paths = Array.from(
    { length: 3_000 },
    (_none, at) => `p${at % 7}/${['Index', 'user-list', 'match', 'm'][at % 4]}${at}.ts`,
  );

  test.each(['index12', 'match3', 'p3m', 'ul1', 'mt9'])(
    '[FL7] %s letter by letter finds what it finds at once',
    (word) => {
      const { files } = listed(...paths);
      const at = (query: string, before: Parameters<typeof searchPaths>[3]) => {
        const search = searchPaths(files, parseQuery(query), 20, before);
        while (!search.step(700));
        return search;
      };
      let narrowed: Parameters<typeof searchPaths>[3] = null;
      for (let length = 0; length <= word.length; length += 1) {
        const search = at(word.slice(0, length), narrowed);
        narrowed = search.narrowed();
        expect(search.best()).toEqual(at(word.slice(0, length), null).best());
      }
    },
  );

  test('[FL5] paths that came in since the query before are looked at too', () => {
    const lister = listed('match.ts');
    const first = searchPaths(lister.files, parseQuery('m'), 10, null);
    first.step(10);
    lister.push(new TextEncoder().encode('other/match2.ts\0'));
    const second = searchPaths(lister.files, parseQuery('ma'), 10, first.narrowed());
    second.step(10);
    expect(second.best()).toHaveLength(2);
  });

  test('only a longer query narrows', () => {
    expect(extendsQuery(parseQuery('abc'), parseQuery('AB'))).toBe(true);
    expect(extendsQuery(parseQuery('ab'), parseQuery('abc'))).toBe(false);
    expect(extendsQuery(parseQuery('xbc'), parseQuery('ab'))).toBe(false);
  });
});

describe('the table', () => {
  test('[FL1] directories are those that hold files, at every depth, each once', () => {
    const { directories } = listed('a/b/c/x.ts', 'a/b/y.ts', 'z.ts', 'a/b/c/y.ts', 'd/e.ts', 'a/q/r.ts');
    expect(pathsOf(directories).sort()).toEqual(['a', 'a/b', 'a/b/c', 'a/q', 'd']);
  });

  test('chunks may be cut anywhere', () => {
    const bytes = new TextEncoder().encode('a/größe.ts\0b/c.ts\0d\0');
    for (let size = 1; size <= bytes.length; size += 1) {
      const lister = createPathLister();
      for (let at = 0; at < bytes.length; at += size) lister.push(bytes.subarray(at, at + size));
      lister.finish();
      expect(pathsOf(lister.files)).toEqual(['a/größe.ts', 'b/c.ts', 'd']);
    }
  });

  test('[FL4] paths that lead out are refused', () => {
    const lister = listed(
      '/etc/passwd',
      '../x',
      'a/../../x',
      'a/..',
      './a',
      'a//b',
      '',
      `${'x'.repeat(5_000)}`,
      'ok',
      '..a/b..',
    );
    expect(pathsOf(lister.files)).toEqual(['ok', '..a/b..']);
    expect(lister.refused()).toBe(8);
  });

  test('many paths take little room and all their directories are known', () => {
    const lister = createPathLister();
    for (let at = 0; at < 20_000; at += 1) {
      lister.push(new TextEncoder().encode(`packages/p${at % 100}/src/m${at % 5_000}/file-number-${at}.ts\0`));
    }
    lister.finish();
    expect(lister.files.count).toBe(20_000);
    expect(lister.directories.count).toBe(1 + 100 + 100 + 5_000);
    expect((sizeOf(lister.files) + sizeOf(lister.directories)) / 20_000).toBeLessThan(200);
  });
});

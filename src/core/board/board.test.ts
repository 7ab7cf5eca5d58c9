/** The decisions of the board: whom a post is for, what fits, how threads form, and when agents are stopped. */
import { describe, expect, test } from 'vitest';
import type { BoardMatch, BoardMessage } from '../../contract/board.ts';
import { type Addressee, addresseesOf, findMentions, mentionWords, slugOf } from './address.ts';
import { hearHops, hopsOfPost, NO_HOPS, personSpoke } from './hops.ts';
import { fitsMatch } from './match.ts';
import { threadsOf } from './render-threads.ts';

const conversation = (hex: string, label: string): Addressee => {
  const id = `conv_${hex.repeat(32).slice(0, 32)}`;
  return { key: id, label, conversationId: id };
};
const PARSER = conversation('a', 'Fix the parser');
const DOCS = conversation('b', 'docs');
const TWIN = conversation('c', 'twin');
const OTHER_TWIN = conversation('d', 'Twin');
const CI: Addressee = { key: 'ci-bot', label: 'ci-bot', conversationId: null };
const KNOWN = [PARSER, DOCS, TWIN, OTHER_TWIN, CI];

describe('[BD9] mentions', () => {
  test.each([
    ['hello @docs', ['docs']],
    ['@docs, and @Fix-the-parser.', ['docs', 'Fix-the-parser']],
    ['(@docs) [@docs]', ['docs']],
    ['@"Fix the parser" please', ['Fix the parser']],
    ['mail a@docs.example or @scope/package', []],
    ['`@docs` and ```\n@docs\n```', []],
    ['```\n@docs without an end', []],
    ['@@docs', []],
    ['an @ alone, @', []],
    ['@größe ist da', ['größe']],
  ])('%s', (text, words) => {
    expect(mentionWords(text)).toEqual(words);
  });

  test('a label is written in lower case with dashes', () => {
    expect(slugOf('Fix the  parser!')).toBe('fix-the-parser');
    expect(slugOf('—')).toBe('');
  });

  test.each([
    ['@fix-the-parser', [PARSER.key]],
    ['@DOCS', [DOCS.key]],
    [`@${PARSER.key}`, [PARSER.key]],
    ['@conv_aaaaaaaaaa', [PARSER.key]],
    ['@conv_aaa', []],
    ['@nobody', []],
    ['@twin', [TWIN.key]],
    ['@TWIN', []],
    ['@ci-bot', ['ci-bot']],
    ['@docs @docs @ci-bot', [DOCS.key, 'ci-bot']],
  ])('%s means the right ones', (text, keys) => {
    expect(findMentions(text, KNOWN).map(({ key }) => key)).toEqual(keys);
  });

  test('a conversation wins over an author who took its name', () => {
    const thief: Addressee = { key: 'docs', label: 'docs', conversationId: null };
    expect(addresseesOf('docs', [thief, DOCS])).toEqual([DOCS]);
  });

  test('a text of nothing but mentions stays bounded', () => {
    const text = Array.from({ length: 20_000 }, (_one, at) => `@n${at}`).join(' ');
    expect(mentionWords(text).length).toBe(20);
  });
});

const message = (num: number, more: Partial<BoardMessage> = {}): BoardMessage => ({
  num,
  ts: '2026-01-01T00:00:00.000Z',
  who: 'ann',
  kind: 'person',
  conversation_id: null,
  message: `Message ${num}`,
  topic: null,
  reply_to: null,
  to: null,
  mentions: [],
  for: [],
  hops: 0,
  ...more,
});

describe('what fits', () => {
  const one = message(3, { topic: 'build', who: 'CI', reply_to: 2, for: ['conv_x'], message: 'Build FAILED' });
  test.each<[BoardMatch, boolean]>([
    [{}, true],
    [{ text: 'failed' }, true],
    [{ text: 'passed' }, false],
    [{ topic: 'build' }, true],
    [{ topic: 'Build' }, false],
    [{ who: 'ci' }, true],
    [{ reply_to: 2 }, true],
    [{ reply_to: 3 }, false],
    [{ for: 'conv_x' }, true],
    [{ for: 'conv_y' }, false],
    [{ topic: 'build', text: 'passed' }, false],
  ])('%o → %s', (match, fits) => expect(fitsMatch(one, match)).toBe(fits));
});

describe('threads', () => {
  test('a reply stays with its beginning, however deep; the thread spoken in last is last', () => {
    const threads = threadsOf([
      message(1),
      message(2),
      message(3, { reply_to: 1 }),
      message(4, { reply_to: 3 }),
      message(5, { reply_to: 99 }),
    ]);
    expect(threads.map(({ root, replies }) => [root.num, replies.map(({ num }) => num)])).toEqual([
      [2, []],
      [1, [3, 4]],
      [5, []],
    ]);
  });
});

describe('[BD12] hops', () => {
  test('are counted when two agents answer each other, and a person sets them back', () => {
    let hops = NO_HOPS;
    for (let at = 0; at < 100; at += 1) {
      const [author, other] = at % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
      const count = hopsOfPost(hops, author ?? '');
      hops = hearHops(hops, other ?? '', count);
      expect(count).toBe(at + 1);
    }
    hops = personSpoke(hops, 'a');
    expect(hopsOfPost(hops, 'a')).toBe(1);
    expect(hopsOfPost(hops, 'b')).toBe(100);
  });
});

/** Hostile strings by a grammar and a seed: what nobody wrote down, in every combination of trick and disguise. */
import { createRandom, pick, type Random, upTo } from '../../src/testing/hostile-text.ts';

const E = '\x1b';

type Maker = (random: Random, at: number) => string;
type Words = readonly [string, ...string[]];

const TAGS: Words = [
  'img',
  'svg',
  'iframe',
  'video',
  'details',
  'input',
  'object',
  'body',
  'form',
  'marquee',
  'math',
  'a',
];
const EVENTS: Words = [
  'onerror',
  'onload',
  'onfocus autofocus onfocus',
  'ontoggle',
  'onbegin',
  'onpointerenter',
  'onanimationend',
];
const GAPS: Words = [' ', '/', '\t', '\n', '\f', '/x=1 ', '\u00a0'];
const CLOSES: Words = ['>', '/>', ' //', '></x>', ''];
const SCHEMES: Words = [
  'javascript',
  'vbscript',
  'data',
  'blob',
  'file',
  'filesystem',
  'view-source',
  'about',
  'chrome',
  'ws',
];
const LINKS: readonly [(href: string) => string, ...((href: string) => string)[]] = [
  (href) => `[x](${href})`,
  (href) => `[x](<${href}>)`,
  (href) => `![x](${href} "t")`,
  (href) => `<${href}>`,
  (href) => `[x][r]\n\n[r]: ${href}`,
  (href) => `| [x](${href}) |\n|---|`,
  (href) => `${E}]8;;${href}${E}\\x${E}]8;;${E}\\`,
];
const HIDDEN: Words = [
  ...([
    '\u200b',
    '\u200c',
    '\u200d',
    '\u2060',
    '\ufeff',
    '\u00ad',
    '\u034f',
    '\u061c',
    '\u180e',
    '\u3164',
    '\uffa0',
  ] as const),
  ...([
    '\u202a',
    '\u202d',
    '\u202e',
    '\u2066',
    '\u2067',
    '\u2068',
    '\u{e0041}',
    '\u{e0020}',
    '\u{e007f}',
    '\ufe0f',
    '\u{e0100}',
  ] as const),
];
const CONTROLS: Words = [
  '\x00',
  '\x07',
  '\b',
  '\x0b',
  '\x0c',
  '\r',
  '\x0e',
  '\x1a',
  '\x7f',
  '\x85',
  '\x90',
  '\x9b',
  '\x9d',
  '\u2028',
  '\u2029',
];
const CONTAINERS: Words = ['> ', '- ', '1. ', '* ', '>', '+ '];
const MARKS: Words = ['*', '_', '**', '~~', '`', '[', '![', '<', '(', '|'];
const LOOKS: Readonly<Record<string, string>> = {
  a: 'а',
  c: 'с',
  e: 'е',
  i: 'і',
  o: 'о',
  p: 'р',
  x: 'х',
  A: 'А',
  C: 'С',
  D: 'Ⅾ',
};
const POSES: Words = [
  'Codex asks',
  'Allow once',
  'Runs a command',
  'You are signed out',
  'The page stopped. Reload',
  'Approved by the person',
];

const MAKERS: readonly [Maker, ...Maker[]] = [
  // Script in markup.
  (random, at) =>
    `<${mixedCase(random, pick(random, TAGS))}${pick(random, GAPS)}src=x${pick(random, GAPS)}${pick(random, EVENTS)}=__pwned=${at}${pick(random, CLOSES)}`,
  (random, at) =>
    `</${pick(random, TAGS)}><${mixedCase(random, 'script')}>__pwned=${at}</${mixedCase(random, 'script')}>`,
  // Addresses that must not be followed.
  (random, at) => pick(random, LINKS)(`${disguised(random, pick(random, SCHEMES))}:__pwned=${at}`),
  (random, at) =>
    pick(random, LINKS)(`data:${pick(random, ['text/html', 'image/svg+xml', 'text/xml'])},<svg onload=__pwned=${at}>`),
  (random, at) => pick(random, LINKS)(`${pick(random, ['//', '\\\\', '/\\', 'https:\\\\'])}evil.test/${at}`),
  // Styles and drawings that fetch.
  (random, at) =>
    `<${pick(random, ['style', 'svg', 'link'])}>*{background:${pick(random, ['url', 'URL', 'image-set'])}(https://evil.test/${at})}`,
  (_random, at) => `<svg><use href="https://evil.test/${at}#x"/><image href="https://evil.test/${at}.png"/></svg>`,
  // Nesting.
  (random) => `${Array.from({ length: upTo(random, 120) }, () => pick(random, CONTAINERS)).join('')}a`,
  (random, at) => `${Array.from({ length: upTo(random, 200) }, () => pick(random, MARKS)).join(`${at}`)}`,
  // Terminals.
  (random, at) =>
    `${E}]${upTo(random, 1_400)};${pick(random, POSES)}${at}${pick(random, ['\x07', `${E}\\`, '\x9c', ''])}after`,
  (random, at) =>
    `${pick(random, [`${E}[`, '\x9b'])}${upTo(random, 9_999)};${at}${pick(random, ['m', 'H', 'J', 'K', 'A', 'h', 'l', 't', ''])}text`,
  (random, at) => `${E}${pick(random, ['P', '_', '^', 'X'])}${at}${pick(random, [`${E}\\`, '\x9c', ''])}text`,
  // Text that is not what it seems.
  (random, at) => scattered(random, `sudo rm -rf ~/${at}`, HIDDEN),
  (random, at) => scattered(random, `echo ${at} && true`, CONTROLS),
  (random, at) => `${[...pick(random, POSES)].map((one) => LOOKS[one] ?? one).join('')} ${at}`,
  (random, at) => `**${pick(random, POSES)}** ${at}\n\n---\n\n[Allow once](#allow) · [Decline](#decline)`,
  (random, at) =>
    `<section data-approval="apr_${at}" aria-label="${pick(random, POSES)}"><button>${pick(random, POSES)}</button></section>`,
  // Long lines.
  (random, at) => `${at}${pick(random, ['a', '—', '👩‍💻', 'a.', '\u202e', '%', 'a@'])}`.repeat(upTo(random, 400)),
];

function mixedCase(random: Random, word: string): string {
  return [...word].map((one) => (random() < 0.5 ? one.toUpperCase() : one)).join('');
}

/** A scheme that a parser may still take for itself: other case, entities, controls and blanks in it. */
function disguised(random: Random, scheme: string): string {
  const [first = '', ...rest] = scheme;
  switch (upTo(random, 5)) {
    case 1:
      return mixedCase(random, scheme);
    case 2:
      return `&#${first.charCodeAt(0)};${rest.join('')}`;
    case 3:
      return `${first}${pick(random, CONTROLS)}${rest.join('')}`;
    case 4:
      return `${pick(random, HIDDEN)}${scheme}`;
    default:
      return `%${first.charCodeAt(0).toString(16)}${rest.join('')}`;
  }
}

function scattered(random: Random, text: string, among: Words): string {
  return [...text].map((one) => (random() < 0.3 ? one + pick(random, among) : one)).join('');
}

/** Each kind in its turn; each string is its own, since its number is in it. */
export function hostileStrings(seed: number, count: number): readonly string[] {
  const random = createRandom(seed);
  const all = new Set<string>();
  for (let at = 1; all.size < count; at++) all.add((MAKERS[at % MAKERS.length] ?? MAKERS[0])(random, at));
  return [...all];
}

/** Colored code as runs of text: how the highlighter's markup is read, cut into lines, and which colors there are. */

type Tone = 'keyword' | 'string' | 'number' | 'comment' | 'title' | 'type' | 'attr' | 'meta';

export interface Run {
  readonly text: string;
  readonly tone: Tone | null;
}

/** First part of the highlighter's class → one of our few colors. */
const TONES: Readonly<Record<string, Tone>> = {
  keyword: 'keyword',
  literal: 'number',
  number: 'number',
  string: 'string',
  regexp: 'string',
  char: 'string',
  subst: 'attr',
  comment: 'comment',
  quote: 'comment',
  doctag: 'comment',
  title: 'title',
  section: 'title',
  name: 'keyword',
  tag: 'attr',
  type: 'type',
  built_in: 'type',
  class: 'type',
  attr: 'attr',
  attribute: 'attr',
  property: 'attr',
  'selector-tag': 'keyword',
  'selector-class': 'title',
  'selector-id': 'title',
  'selector-attr': 'attr',
  'selector-pseudo': 'attr',
  symbol: 'number',
  bullet: 'keyword',
  meta: 'meta',
  addition: 'string',
  deletion: 'keyword',
  link: 'string',
};

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
const PIECE = /<span class="hljs-([\w-]+)(?![\w-])[^"<>]*">|<span[^<>]*>|<\/span>|&(amp|lt|gt|quot|#x27);|[^<&]+/g;

/** The highlighter's markup is spans and five entities, nothing else. */
export function readRuns(markup: string): readonly Run[] {
  const runs: Run[] = [];
  const stack: (Tone | null)[] = [];
  const push = (text: string) => {
    const tone = stack.at(-1) ?? null;
    const last = runs.at(-1);
    if (last?.tone === tone) runs[runs.length - 1] = { text: last.text + text, tone };
    else runs.push({ text, tone });
  };
  for (const [whole, name, entity] of markup.matchAll(PIECE)) {
    if (whole === '</span>') stack.pop();
    else if (whole.startsWith('<span')) stack.push(TONES[name ?? ''] ?? stack.at(-1) ?? null);
    else push(entity === undefined ? whole : (ENTITIES[entity] ?? whole));
  }
  return runs;
}

export function linesOf(runs: readonly Run[]): readonly (readonly Run[])[] {
  const lines: Run[][] = [[]];
  for (const { text, tone } of runs) {
    for (const [at, part] of text.split('\n').entries()) {
      if (at > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ text: part, tone });
    }
  }
  return lines;
}

const BY_EXTENSION: Readonly<Record<string, string>> = {
  sh: 'bash',
  zsh: 'bash',
  h: 'c',
  cc: 'cpp',
  hpp: 'cpp',
  cs: 'csharp',
  scss: 'css',
  patch: 'diff',
  toml: 'ini',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  jsonl: 'json',
  kt: 'kotlin',
  md: 'markdown',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  html: 'xml',
  svg: 'xml',
  vue: 'xml',
  yml: 'yaml',
};

/** The highlighter knows most names and aliases itself; what is not known stays plain. */
export function languageOf(path: string): string {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return BY_EXTENSION[extension] ?? extension;
}

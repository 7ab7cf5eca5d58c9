/** A Markdown page as its tests see it: fenced blocks, headings and links. */

export interface Fence {
  /** Of the line that opens it, from 1. */
  readonly line: number;
  readonly language: string;
  /** `needs="…"` behind the language: what a test does not have. */
  readonly needs: string | null;
  readonly text: string;
}

export function fencesOf(markdown: string): Fence[] {
  const fences: Fence[] = [];
  let open: { fence: string; line: number; language: string; needs: string | null; body: string[] } | null = null;
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open !== null) {
      if (line.trim() === open.fence) {
        const { body, fence: _fence, ...rest } = open;
        fences.push({ ...rest, text: `${body.join('\n')}\n` });
        open = null;
      } else open.body.push(line);
      continue;
    }
    const [, fence, language = '', info = ''] = /^(`{3,})([\w-]*)(.*)$/.exec(line) ?? [];
    if (fence === undefined) continue;
    open = { fence, line: index + 1, language, needs: /\bneeds="([^"]*)"/.exec(info)?.[1] ?? null, body: [] };
  }
  if (open !== null) throw new Error(`the block of line ${open.line} has no end`);
  return fences;
}

/** Outside of code. */
function proseOf(markdown: string): string {
  return markdown.replace(/^(`{3,})[^\n]*\n[\s\S]*?\n\1$/gm, '').replace(/`[^`\n]*`/g, '');
}

export const linksOf = (markdown: string): string[] =>
  [...proseOf(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '');

/** As GitHub names them. */
export const anchorsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
    (heading ?? '')
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .trim()
      .replaceAll(' ', '-'),
  );

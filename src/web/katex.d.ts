/** The part of KaTeX that its own types leave out: the tree of nodes behind its markup. */
import 'katex';

declare module 'katex' {
  export function __renderToDomTree(tex: string, options: Readonly<Record<string, unknown>>): object;
}

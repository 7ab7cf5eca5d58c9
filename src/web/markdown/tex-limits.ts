/**
 * Which formulas are made and which are shown as their source. A formula has at most 1,000 characters, but a macro multiplies them, deep nesting
 * costs KaTeX more than linear time, and a browser can stop for good over the layout of a deep tree. Pure.
 */

/** People nest fractions and roots four or five deep. */
const MAX_DEPTH = 20;
/** Levels of the tree that KaTeX makes: it puts two or three around each group. */
const MAX_TREE_DEPTH = 100;
/** A matrix of 20 by 20 has 800. More do not fit a column. */
const MAX_NODES = 3_000;

/** Definitions are for documents; in one formula they serve only to make much out of little. */
const DEFINES = /\\(?:[gex]?def|let|futurelet|newcommand|renewcommand|providecommand|global|long)(?![a-zA-Z])/;
const OPENING: ReadonlySet<string> = new Set(['{', '\\left', '\\begin', '\\begingroup', '\\bgroup']);
const CLOSING: ReadonlySet<string> = new Set(['}', '\\right', '\\end', '\\endgroup', '\\egroup']);

/** Whether a source may be given to KaTeX at all. */
export function isModestTex(tex: string): boolean {
  if (DEFINES.test(tex)) return false;
  let depth = 0;
  for (const [word] of tex.matchAll(/\\[a-zA-Z]+|\\[^a-zA-Z]|[{}]/g)) {
    if (OPENING.has(word)) depth += 1;
    else if (CLOSING.has(word)) depth -= 1;
    if (depth > MAX_DEPTH) return false;
  }
  return true;
}

/** A node of KaTeX's tree, as much of it as is read. */
interface TreeNode {
  readonly children?: unknown;
}

/** Whether a tree may be shown: neither deep nor large. Iterative, since the tree may be deep. */
export function isModestTree(root: TreeNode): boolean {
  const waiting: { readonly node: TreeNode; readonly depth: number }[] = [{ node: root, depth: 0 }];
  let nodes = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next;
    nodes += 1;
    if (nodes > MAX_NODES || depth > MAX_TREE_DEPTH) return false;
    if (!Array.isArray(node.children)) continue;
    for (const child of node.children)
      if (typeof child === 'object' && child !== null) waiting.push({ node: child, depth: depth + 1 });
  }
  return true;
}

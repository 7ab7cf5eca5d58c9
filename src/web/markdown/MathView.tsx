/**
 * TeX as MathML elements of React. KaTeX makes a tree of nodes; only known elements and attributes of it are taken over, so that no style
 * attribute, address or markup of a formula reaches the page, and the content policy needs no exception. Loaded with the first formula.
 */
import { __renderToDomTree as renderTree } from 'katex';
import { createElement, type ReactNode, useEffect, useState } from 'react';
import { isModestTex, isModestTree } from './tex-limits.ts';

interface MathViewProps {
  readonly tex: string;
  readonly isDisplay: boolean;
  /** Shown until the formula is made, and where it has a mistake. */
  readonly fallback: ReactNode;
}

export function MathView({ tex, isDisplay, fallback }: MathViewProps) {
  const [made, setMade] = useState<{ readonly tex: string; readonly math: ReactNode } | null>(null);
  useEffect(() => {
    let isStale = false;
    later(() => {
      if (!isStale) setMade({ tex, math: render(tex, isDisplay) });
      return !isStale;
    });
    return () => {
      isStale = true;
    };
  }, [tex, isDisplay]);
  return made?.tex === tex && made.math !== null ? made.math : fallback;
}

/** One task of the browser makes formulas for this long, then lets others run. */
const SLICE_MS = 8;
const waiting: (() => boolean)[] = [];
let isScheduled = false;

/** A text may hold thousands of formulas: they are made a few at a time. The task says whether there was anything to do. */
function later(task: () => boolean): void {
  waiting.push(task);
  if (isScheduled) return;
  isScheduled = true;
  setTimeout(work);
}

function work(): void {
  const end = performance.now() + SLICE_MS;
  while (waiting.length > 0 && performance.now() < end) waiting.shift()?.();
  isScheduled = waiting.length > 0;
  if (isScheduled) setTimeout(work);
}

/** `maxExpand` and `maxSize` bound what macros and sizes can do; `trust` is off: no links, no images, no HTML. */
const OPTIONS = {
  output: 'mathml',
  throwOnError: true,
  strict: false,
  trust: false,
  maxExpand: 200,
  maxSize: 20,
} as const;

const ELEMENTS: ReadonlySet<string> = new Set(
  (
    'math semantics mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt mroot munder mover munderover mtable mtr mtd ' +
    'mpadded mphantom mstyle menclose mmultiscripts mprescripts none'
  ).split(' '),
);
const ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'mathvariant stretchy fence separator lspace rspace minsize maxsize width height depth voffset displaystyle scriptlevel linethickness ' +
    'columnalign columnspacing rowspacing rowlines columnlines accent accentunder mathcolor mathbackground mathsize largeop movablelimits ' +
    'symmetric notation form display'
  ).split(' '),
);

/** As much of KaTeX's nodes as is read. */
interface TreeNode {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly children?: unknown;
  readonly attributes?: unknown;
}

function render(tex: string, isDisplay: boolean): ReactNode {
  if (!isModestTex(tex)) return null;
  try {
    const tree = renderTree(tex, { ...OPTIONS, displayMode: isDisplay });
    return isModestTree(tree) ? toElement(tree, 0) : null;
  } catch {
    return null;
  }
}

function toElement(node: TreeNode, key: number): ReactNode {
  const children: readonly unknown[] = Array.isArray(node.children) ? node.children : [];
  const inner = () => children.map((child, at) => (isNode(child) ? toElement(child, at) : null));
  if (typeof node.type !== 'string') return typeof node.text === 'string' ? node.text : inner();
  // Its annotation repeats the source, which a screen reader would say twice.
  if (!ELEMENTS.has(node.type)) return null;
  const given = isNode(node.attributes) ? Object.entries(node.attributes) : [];
  const known = given.filter(([name, value]) => ATTRIBUTES.has(name) && typeof value === 'string');
  return createElement(node.type, { key, ...Object.fromEntries(known) }, ...inner());
}

function isNode(value: unknown): value is TreeNode {
  return typeof value === 'object' && value !== null;
}

/** Measures the parts of the header and says which of them go into its menu; again whenever a part or the header changes its width. */
import { createContext, type RefObject, use, useLayoutEffect, useState } from 'react';
import { collapseHeader, type HeaderPart } from './collapse-header.ts';

/** Between the words of a button, and the sign of the network with such a gap. */
const WORD_GAP = 4;
const SIGN = 14 + WORD_GAP;

export const CollapsedParts = createContext<ReadonlySet<HeaderPart>>(new Set());

export const useIsCollapsed = (part: HeaderPart): boolean => use(CollapsedParts).has(part);

export function useCollapsed(header: RefObject<HTMLElement | null>): ReadonlySet<HeaderPart> {
  const [collapsed, setCollapsed] = useState<ReadonlySet<HeaderPart>>(new Set());
  useLayoutEffect(() => {
    const box = header.current;
    if (box === null) return;
    let handle = 0;
    const decide = () => {
      handle = 0;
      const next = measure(box);
      setCollapsed((before) => (isSame(before, next) ? before : next));
    };
    // In a frame of its own: what is decided changes the header, and that must not be decided on again before it is painted.
    const soon = () => {
      handle ||= requestAnimationFrame(decide);
    };
    const sizes = new ResizeObserver(soon);
    // Parts come and go with what the server says; each is watched from then on.
    const watch = () => {
      sizes.disconnect();
      sizes.observe(box);
      for (const part of box.querySelectorAll('[data-part], [data-title] > *')) sizes.observe(part);
      soon();
    };
    const parts = new MutationObserver(watch);
    parts.observe(box, { childList: true, subtree: true, characterData: true });
    watch();
    decide();
    return () => {
      cancelAnimationFrame(handle);
      sizes.disconnect();
      parts.disconnect();
    };
  }, [header]);
  return collapsed;
}

function isSame(one: ReadonlySet<HeaderPart>, other: ReadonlySet<HeaderPart>): boolean {
  return one.size === other.size && [...one].every((part) => other.has(part));
}

/** Each width is that of the part shown whole, whatever is collapsed at the moment: else the decision would change its own grounds. */
function measure(box: HTMLElement): ReadonlySet<HeaderPart> {
  const style = getComputedStyle(box);
  const gap = Number.parseFloat(style.columnGap) || 0;
  const widthOf = (element: Element | null): number => {
    const width = element instanceof HTMLElement ? element.offsetWidth : 0;
    return width === 0 ? 0 : width + gap;
  };
  const named = (name: string) => widthOf(box.querySelector(`[data-part="${name}"]`));
  const fixed = [...box.children].filter((one) => one.matches('[data-fixed]'));
  const words = box.querySelector('[data-part="sandbox"]');
  const sandbox = words instanceof HTMLElement ? words.offsetWidth + WORD_GAP : 0;
  const sign = box.querySelector('[data-sign]') === null ? 0 : SIGN;
  const isBrief = words !== null && getComputedStyle(words).visibility === 'hidden';
  const icon = Math.max(named('details'), named('palette'));
  return collapseHeader({
    available: box.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight),
    fixed: fixed.reduce((sum, one) => sum + widthOf(one), 0),
    title: titleWidth(box) + gap,
    parts: {
      model: named('model'),
      effort: named('effort'),
      mode: named('mode') === 0 ? 0 : named('mode') - (isBrief ? sign : sandbox),
      sandbox,
      cwd: named('cwd'),
      context: named('context'),
      markdown: named('markdown'),
      follow: named('follow'),
      details: named('details'),
      panels: named('panels'),
      palette: named('palette'),
    },
    menu: icon,
    oneButton: named('one-panel'),
    sign: SIGN,
  });
}

/** Of the whole title, also while it is cut. */
function titleWidth(box: HTMLElement): number {
  const title = box.querySelector('[data-title]')?.firstElementChild;
  return title === null || title === undefined ? 0 : Math.max(title.scrollWidth, title.clientWidth);
}

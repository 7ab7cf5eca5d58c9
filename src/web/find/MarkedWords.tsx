/** Highlights every occurrence of the sought text in the mounted rows, and again whenever rows come, go or change. */
import { type RefObject, useEffect } from 'react';
import { useApp, useCommands, useGetState } from '../state/use-app.ts';
import { rangesIn } from './find-words.ts';

const FOUND = 'found';
const CURRENT = 'found-current';

export function MarkedWords({ frame }: { readonly frame: RefObject<HTMLElement | null> }): null {
  const sought = useApp((state) => (state.isFinding ? state.sought : ''));
  useEndAfterwards(frame);
  useEffect(() => {
    const box = frame.current;
    if (sought === '' || box === null || !('highlights' in CSS)) return;
    let handle = 0;
    const mark = () => {
      handle = 0;
      const rows = [...box.querySelectorAll('[data-key]')];
      CSS.highlights.set(FOUND, new Highlight(...rows.flatMap((row) => rangesIn(row, sought))));
    };
    const observer = new MutationObserver(() => {
      handle ||= requestAnimationFrame(mark);
    });
    mark();
    observer.observe(box, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(handle);
      CSS.highlights.delete(FOUND);
      CSS.highlights.delete(CURRENT);
    };
  }, [sought, frame]);
  return null;
}

/** A search holds the place of its hit; where the whole conversation is in view, there is no place to hold afterwards. */
function useEndAfterwards(frame: RefObject<HTMLElement | null>): void {
  const isFinding = useApp((state) => state.isFinding);
  const { setFollow } = useCommands();
  const getState = useGetState();
  useEffect(() => {
    if (!isFinding) return;
    return () => {
      const box = frame.current?.querySelector('[data-scroll-root]');
      const { follow, past } = getState();
      if (box == null || follow === 'pinned' || past !== null) return;
      if (box.scrollHeight <= box.clientHeight) setFollow('pinned');
    };
  }, [frame, isFinding, setFollow, getState]);
}

/** Tries to open what hides the text: cards of a row, and the rest of an output. */
const MAX_OPENED = 12;

/** Brings the n-th occurrence in a row into view, opening folded cards until it is there; resolves to whether it was found. */
export async function showWord(row: Element, text: string, nth: number): Promise<boolean> {
  for (let opened = 0; opened <= MAX_OPENED; opened++) {
    const ranges = rangesIn(row, text).filter((range) => range.getClientRects().length > 0);
    const hidden = row.querySelector<HTMLElement>('button[aria-expanded="false"], button[data-more]');
    const range = ranges[Math.min(nth, ranges.length - 1)];
    if (range !== undefined && (nth < ranges.length || hidden === null)) {
      bringIntoView(range);
      if ('highlights' in CSS) CSS.highlights.set(CURRENT, new Highlight(range));
      return true;
    }
    if (hidden === null) return false;
    hidden.click();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }
  return false;
}

/** In every box that scrolls around the word, from the inside out: the element of a word may be longer than the box it is in. */
function bringIntoView(range: Range): void {
  for (let box = range.startContainer.parentElement; box !== null; box = box.parentElement) {
    if (box.scrollHeight > box.clientHeight && /auto|scroll/.test(getComputedStyle(box).overflowY)) {
      const { top, height } = box.getBoundingClientRect();
      const place = range.getBoundingClientRect().top - top;
      if (place < 0 || place > height - 40) box.scrollTop += place - height / 2;
    }
    if (box.matches('[data-scroll-root]')) return;
  }
}

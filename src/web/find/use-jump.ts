/** After a jump: brings the row into view, marks it for a moment, and fetches what lies below when somebody reads on. */
import { type RefObject, useEffect } from 'react';
import { useApp, useCommands, useGetState } from '../state/use-app.ts';
import { loadLater } from '../ui/lazy-part.tsx';

const AHEAD_PX = 1_200;
const MARKED_MS = 1_600;
/** Cards may still find their height after the first paint. */
const SETTLE_FRAMES = 3;

export function useJump(frame: RefObject<HTMLElement | null>): void {
  const jump = useApp((state) => state.jump);
  const isPast = useApp((state) => state.past !== null);
  const { loadNewer } = useCommands();
  const getState = useGetState();

  useEffect(() => {
    if (jump === null || jump.key === '') return;
    const find = () => frame.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(jump.key)}"]`);
    let frames = SETTLE_FRAMES;
    let handle = 0;
    const { sought } = getState();
    const show = () => {
      const shown = find();
      frames -= 1;
      if (frames > 0 || sought === '' || shown == null) shown?.scrollIntoView({ block: 'center' });
      else void showWordOf(shown, sought, jump.word);
      if (frames > 0) handle = requestAnimationFrame(show);
    };
    show();
    const row = find();
    if (row != null) row.dataset.found = 'true';
    const timer = setTimeout(() => delete row?.dataset.found, MARKED_MS);
    return () => {
      cancelAnimationFrame(handle);
      clearTimeout(timer);
      delete row?.dataset.found;
    };
  }, [jump, frame, getState]);

  useEffect(() => {
    const box = frame.current;
    if (!isPast || box === null) return;
    const look = (event: Event) => {
      const scroller = event.target;
      if (!(scroller instanceof HTMLElement) || getState().past === null) return;
      if (scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < AHEAD_PX) void loadNewer();
    };
    // Scrolling does not bubble; it is caught on its way down.
    box.addEventListener('scroll', look, true);
    return () => box.removeEventListener('scroll', look, true);
  }, [isPast, frame, loadNewer, getState]);
}

/** Without the code of find the row is in view, if not the word. */
async function showWordOf(row: HTMLElement, sought: string, word: number): Promise<void> {
  const later = await loadLater().catch(() => null);
  await later?.showWord(row, sought, word);
}

/** From prompt to prompt in a transcript, by key: the one before or after what is at the top of the view. */
import type { Commands } from '../state/commands.ts';
import type { AppState } from '../state/store.ts';

/** A prompt that a step has brought into view stands a little below the top. */
const NEAR_PX = 24;

export function stepPrompt(
  by: 1 | -1,
  state: AppState,
  commands: Pick<Commands, 'jumpTo' | 'loadOlder' | 'setFollow'>,
): void {
  const { keys, settled } = state.transcript;
  const prompts = keys.flatMap((key, at) => {
    const row = settled.get(key);
    return row?.kind === 'message' ? [{ at, seq: row.entry.seq }] : [];
  });
  const here = indexAtTop(keys, state.jump?.key);
  const target = by > 0 ? prompts.find(({ at }) => at > here) : prompts.findLast(({ at }) => at < here);
  if (target !== undefined) void commands.jumpTo(target.seq);
  else if (by > 0) commands.setFollow('pinned');
  else void commands.loadOlder();
}

/** The row in the middle after a jump, else the first row in view. */
function indexAtTop(keys: readonly string[], jumpedTo: string | undefined): number {
  const scroller = document.querySelector('[data-focused] [data-scroll-root]');
  if (scroller === null) return keys.length;
  const box = scroller.getBoundingClientRect();
  const jumped = jumpedTo === undefined ? null : scroller.querySelector(`[data-key="${CSS.escape(jumpedTo)}"]`);
  const isStillThere = jumped !== null && isWithin(jumped.getBoundingClientRect(), box);
  if (isStillThere && jumpedTo !== undefined) return keys.indexOf(jumpedTo);
  const rows = [...scroller.querySelectorAll('[data-key]')];
  const isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_PX;
  if (isAtEnd) return keys.length;
  const top = rows.find((row) => row.getBoundingClientRect().bottom > box.top + NEAR_PX);
  return keys.indexOf(top?.getAttribute('data-key') ?? '');
}

function isWithin(row: DOMRect, box: DOMRect): boolean {
  return row.bottom > box.top && row.top < box.bottom;
}

/** One conversation's stream: what goes on now, the last seq told, and who listens. Deltas are spaced; all else goes at once. */
import type { UiEvent } from '../../contract/ui-event.ts';
import { type DeltaEvent, EMPTY_LIVE, isDelta, type LiveState, reduceLive } from '../../core/conversations/live.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import { renderFrame } from './frames.ts';

export interface Listener {
  /** `seq` is set for a durable event. The buffer is shared by all listeners and must not be changed. */
  hear(frame: Buffer, seq: number | null): void;
}

export interface Channel {
  /** A durable event that was told already is dropped. */
  publish(event: UiEvent): void;
  /** Starts listening and takes the snapshot in one step: what was published before is in it, all that comes after is heard. */
  join(listener: Listener, lastSeq: () => number): { readonly seq: number; readonly live: LiveState };
  leave(listener: Listener): void;
  stop(): void;
}

/** Spacing of delta frames: at 1,000 deltas a second it sends about 3 times fewer frames for 1.2 ms more delay; 4 ms would add 2.3. */
const DELTA_SPACING_MS = 2;
/** Held-back text beyond this goes out at once, so that holding back never costs memory. */
const MAX_PENDING_CHARS = 64 * 1024;

/** Deltas of one item that touch: the first, and the text of all. */
interface HeldDelta {
  readonly first: DeltaEvent;
  delta: string;
}

export function createChannel(clock: Clock): Channel {
  const listeners = new Set<Listener>();
  let live: LiveState = EMPTY_LIVE;
  /** Null until something is published or somebody joins. */
  let toldSeq: number | null = null;
  /** Not yet folded into `live` either: one fold for joined deltas instead of one for each. */
  let pending: HeldDelta[] = [];
  let pendingChars = 0;
  /** Runs while deltas must wait. */
  let spacing: Timer | null = null;

  function publish(event: UiEvent): void {
    if ('seq' in event) {
      if (toldSeq !== null && event.seq <= toldSeq) return;
      toldSeq = event.seq;
    } else {
      toldSeq ??= event.after;
    }
    if (isDelta(event)) {
      spaceOut(event);
      return;
    }
    flush();
    tell(event);
  }

  function spaceOut(event: DeltaEvent): void {
    if (spacing === null && listeners.size > 0) {
      tell(event);
      startSpacing();
      return;
    }
    addDelta(pending, event);
    pendingChars += event.delta.length;
    if (pendingChars > MAX_PENDING_CHARS) flush();
  }

  function startSpacing(): void {
    spacing = clock.setTimer(DELTA_SPACING_MS, () => {
      spacing = null;
      if (pending.length === 0) return;
      flush();
      startSpacing();
    });
  }

  function flush(): void {
    if (pending.length === 0) return;
    const held = pending;
    pending = [];
    pendingChars = 0;
    for (const { first, delta } of held) tell({ ...first, delta });
  }

  function tell(event: UiEvent): void {
    live = reduceLive(live, event);
    if (listeners.size === 0) return;
    const frame = renderFrame(event);
    const seq = 'seq' in event ? event.seq : null;
    for (const listener of listeners) listener.hear(frame, seq);
  }

  return {
    publish,
    join(listener, lastSeq) {
      flush();
      toldSeq ??= lastSeq();
      listeners.add(listener);
      return { seq: toldSeq, live };
    },
    leave(listener) {
      listeners.delete(listener);
    },
    stop() {
      flush();
      spacing?.cancel();
      spacing = null;
      listeners.clear();
    },
  };
}

/** Text that goes on where the item's held-back text ends is joined to it; items keep the order in which they were first held. */
function addDelta(pending: HeldDelta[], event: DeltaEvent): void {
  const last = pending.findLast(({ first }) => first.item_id === event.item_id && first.turn_id === event.turn_id);
  const isNext =
    last !== undefined &&
    last.first.type === event.type &&
    last.first.after === event.after &&
    last.first.offset + last.delta.length === event.offset;
  if (isNext) last.delta += event.delta;
  else pending.push({ first: event, delta: event.delta });
}

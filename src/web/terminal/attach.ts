/**
 * Where a viewer stands in the terminal's bytes: what arrives → what the screen is to do. Pure. The cursor is behind the last byte handed
 * to the screen, so a reconnect asks from there and no byte is drawn twice.
 */
import type { PtyServerFrame } from '../../contract/terminal.ts';

export interface Attach {
  /** Null before the first picture, and when what we hold cannot be trusted. */
  readonly cursor: number | null;
  /** Bytes before this were printed while we were away: what they ask of a terminal is not answered again. */
  readonly liveFrom: number;
  /** How far the terminal was when its state was last told: at the beginning of a socket, where the past ends. */
  readonly toldTo: number;
  readonly drawn: number;
  readonly acked: number;
}

export type ScreenFrame = Extract<PtyServerFrame, { type: 'screen' }>;

export type AttachStep =
  | { readonly act: 'reset'; readonly frame: ScreenFrame }
  | { readonly act: 'write'; readonly bytes: Uint8Array; readonly from: number; readonly isReplay: boolean }
  | { readonly act: 'resize'; readonly cols: number; readonly rows: number }
  /** The bytes do not join on: come back and ask for a picture. */
  | { readonly act: 'reattach' }
  | { readonly act: 'tell'; readonly frame: Exclude<PtyServerFrame, { type: 'screen' | 'resume' | 'size' }> };

export interface Attached {
  readonly attach: Attach;
  readonly steps: readonly AttachStep[];
}

export const DETACHED: Attach = { cursor: null, liveFrom: 0, toldTo: 0, drawn: 0, acked: 0 };

/** An eighth of what the server lets be unacknowledged: it never waits for us while we keep up, and we seldom talk. */
const ACK_BYTES = 128 * 1024;
const OFFSET_BYTES = 8;

export function takeFrame(attach: Attach, frame: PtyServerFrame): Attached {
  switch (frame.type) {
    case 'screen': {
      const { cursor } = frame;
      return {
        attach: { ...attach, cursor, liveFrom: Math.max(cursor, attach.toldTo), drawn: cursor, acked: cursor },
        steps: [{ act: 'reset', frame }],
      };
    }
    case 'resume': {
      const { cursor, cols, rows } = frame;
      if (attach.cursor !== cursor) return { attach: DETACHED, steps: [{ act: 'reattach' }] };
      const next = { ...attach, liveFrom: Math.max(cursor, attach.toldTo), acked: cursor };
      return { attach: next, steps: [{ act: 'resize', cols, rows }] };
    }
    case 'size':
      return { attach, steps: [{ act: 'resize', cols: frame.cols, rows: frame.rows }] };
    case 'state':
      return { attach: { ...attach, toldTo: frame.state.cursor }, steps: [{ act: 'tell', frame }] };
    case 'block':
    case 'exit':
    case 'refused':
      return { attach, steps: [{ act: 'tell', frame }] };
    default:
      // A newer server may say more than this page knows.
      return { attach, steps: [] };
  }
}

/** A binary frame: eight bytes of offset, then the terminal's own. */
export function takeBytes(attach: Attach, frame: ArrayBuffer): Attached {
  if (frame.byteLength < OFFSET_BYTES) return { attach, steps: [] };
  const from = Number(new DataView(frame).getBigUint64(0));
  const { cursor } = attach;
  if (cursor === null || from > cursor) return { attach: DETACHED, steps: [{ act: 'reattach' }] };
  const known = cursor - from;
  const bytes = new Uint8Array(frame, OFFSET_BYTES);
  if (bytes.length <= known) return { attach, steps: [] };
  const news = bytes.subarray(known);
  return { attach: { ...attach, cursor: cursor + news.length }, steps: writesOf(news, cursor, attach.liveFrom) };
}

/** What is old and what is live are written apart, since only the live part may be answered. */
function writesOf(bytes: Uint8Array, from: number, liveFrom: number): readonly AttachStep[] {
  const old = Math.min(bytes.length, Math.max(0, liveFrom - from));
  const step = (part: Uint8Array, at: number, isReplay: boolean): readonly AttachStep[] =>
    part.length === 0 ? [] : [{ act: 'write', bytes: part, from: at, isReplay }];
  return [...step(bytes.subarray(0, old), from, true), ...step(bytes.subarray(old), from + old, false)];
}

/** Bytes up to `drawn` are on the screen. The cursor to acknowledge now, if any. */
export function takeDrawn(attach: Attach, drawn: number): { readonly attach: Attach; readonly ack: number | null } {
  if (drawn <= attach.acked) return { attach, ack: null };
  const isCaughtUp = attach.cursor !== null && drawn >= attach.cursor;
  if (!isCaughtUp && drawn - attach.acked < ACK_BYTES) return { attach: { ...attach, drawn }, ack: null };
  return { attach: { ...attach, drawn, acked: drawn }, ack: drawn };
}

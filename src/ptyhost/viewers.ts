/** Who looks at a terminal, each at its own pace: bytes in order, at most a window ahead of what was drawn, a picture after a gap. */
import { MAX_UNACKED_BYTES, type PtyServerFrame, type PtySize } from '../contract/terminal.ts';
import type { Clock } from '../node/clock.ts';
import type { Journal } from './journal.ts';
import type { Screen } from './screen.ts';

/** Where a viewer's frames and bytes go. */
export interface ViewerPort {
  send(frame: PtyServerFrame): void;
  write(offset: number, bytes: Buffer): void;
}

export interface AttachedViewer {
  /** Everything up to here has been drawn. */
  ack(cursor: number): void;
  detach(): void;
}

export interface Viewers {
  add(cursor: number | null, port: ViewerPort): AttachedViewer;
  /** Bytes were appended to the journal at `offset`. */
  onBytes(offset: number, bytes: Buffer): void;
  sendAll(frame: PtyServerFrame): void;
  /** Somebody who keeps up is a window behind: the shell should wait. */
  isFull(): boolean;
}

/** Further behind than this, the picture is sent instead of what led to it. */
const MAX_CATCH_UP_BYTES = 2 * 1024 * 1024;
/** Sent at a time to one that catches up. */
const CATCH_UP_BYTES = 256 * 1024;
/** A viewer that drew nothing for so long does not hold up the shell any more. */
const STALL_MS = 500;

interface Watching {
  readonly port: ViewerPort;
  /** Null while its picture is made. */
  sent: number | null;
  acked: number;
  /** When it last drew, or began to look. */
  drewAt: number;
}

export function createViewers(journal: Journal, screen: Screen, size: () => PtySize, clock: Clock): Viewers {
  const all = new Set<Watching>();

  const isBehindWindow = (viewer: Watching) => viewer.sent !== null && viewer.sent - viewer.acked >= MAX_UNACKED_BYTES;

  /** Counted first: the answer may come before this returns. */
  const send = (viewer: Watching, offset: number, bytes: Buffer) => {
    viewer.sent = offset + bytes.length;
    viewer.port.write(offset, bytes);
  };

  const show = async (viewer: Watching) => {
    viewer.sent = null;
    const { cursor, cols, rows, data, marks } = await screen.picture();
    if (!all.has(viewer)) return;
    viewer.port.send({ type: 'screen', cursor, cols, rows, data, marks });
    viewer.sent = cursor;
    viewer.acked = cursor;
    catchUp(viewer);
  };

  const catchUp = (viewer: Watching) => {
    while (viewer.sent !== null && viewer.sent < journal.end() && !isBehindWindow(viewer)) {
      if (viewer.sent < journal.start() || journal.end() - viewer.sent > MAX_CATCH_UP_BYTES) {
        void show(viewer);
        return;
      }
      const bytes = journal.read(viewer.sent, CATCH_UP_BYTES);
      if (bytes.length === 0) return;
      send(viewer, viewer.sent, bytes);
    }
  };

  return {
    add(cursor, port) {
      const viewer: Watching = { port, sent: cursor, acked: cursor ?? 0, drewAt: clock.monotonicMs() };
      all.add(viewer);
      const isHeld = cursor !== null && cursor >= journal.start() && cursor <= journal.end();
      if (cursor === null || !isHeld || journal.end() - cursor > MAX_UNACKED_BYTES) void show(viewer);
      else {
        port.send({ type: 'resume', cursor, ...size() });
        catchUp(viewer);
      }
      return {
        ack(drawn) {
          if (!all.has(viewer) || viewer.sent === null || drawn <= viewer.acked) return;
          viewer.acked = Math.min(drawn, viewer.sent);
          viewer.drewAt = clock.monotonicMs();
          catchUp(viewer);
        },
        detach: () => void all.delete(viewer),
      };
    },
    onBytes(offset, bytes) {
      for (const viewer of all) {
        if (viewer.sent !== offset || isBehindWindow(viewer)) continue;
        send(viewer, offset, bytes);
      }
    },
    sendAll(frame) {
      for (const { port } of all) port.send(frame);
    },
    isFull() {
      const now = clock.monotonicMs();
      for (const viewer of all) if (isBehindWindow(viewer) && now - viewer.drewAt < STALL_MS) return true;
      return false;
    },
  };
}

/** Where in the screen's lines each block's output begins. xterm's markers move with the lines; bytes and blocks may be told in either order. */
import type { IMarker } from '@xterm/xterm';
import type { BlockId } from '../../contract/terminal.ts';
import type { Placed } from './gutter.ts';

export interface Places {
  /** Offsets the next bytes must be cut at, so that a marker can be set there. */
  wanted(): Iterable<number>;
  /** The screen has drawn up to `at`, where output may begin. */
  note(at: number, marker: IMarker | undefined): void;
  /** The server says that this block begins at `at`. */
  claim(blockId: BlockId, at: number): void;
  put(blockId: BlockId, marker: IMarker | undefined): void;
  lineOf(blockId: BlockId): number | null;
  all(): readonly Placed[];
  clear(): void;
}

/** Marks that no block has claimed yet; any program may print some. */
const MAX_UNCLAIMED = 64;
/** The server may count a block's output from before or behind the mark's own bytes. */
const NEAR_BYTES = 512;

function nearest(all: Iterable<number>, at: number): number | undefined {
  const near = [...all].filter((one) => Math.abs(one - at) <= NEAR_BYTES);
  return near.sort((a, b) => Math.abs(a - at) - Math.abs(b - at))[0];
}

/** `startOf` finds the first row of a line that was too long for one. */
export function createPlaces(startOf: (line: number) => number = (line) => line): Places {
  const placed = new Map<BlockId, IMarker>();
  const unclaimed = new Map<number, IMarker>();
  const waiting = new Map<number, BlockId>();

  function put(blockId: BlockId, marker: IMarker | undefined): void {
    if (marker === undefined) return;
    placed.get(blockId)?.dispose();
    placed.set(blockId, marker);
    marker.onDispose(() => {
      if (placed.get(blockId) === marker) placed.delete(blockId);
    });
  }

  /** The command was typed on the line above its output. */
  const commandLine = (marker: IMarker): number => startOf(Math.max(0, marker.line - 1));

  return {
    wanted: () => waiting.keys(),
    put,
    note: (at, marker) => {
      if (marker === undefined) return;
      const wanted = nearest(waiting.keys(), at);
      const blockId = wanted === undefined ? undefined : waiting.get(wanted);
      if (wanted !== undefined && blockId !== undefined) {
        waiting.delete(wanted);
        put(blockId, marker);
        return;
      }
      unclaimed.set(at, marker);
      const [oldest] = unclaimed;
      if (unclaimed.size <= MAX_UNCLAIMED || oldest === undefined) return;
      unclaimed.delete(oldest[0]);
      oldest[1].dispose();
    },
    claim: (blockId, at) => {
      if (placed.has(blockId) || [...waiting.values()].includes(blockId)) return;
      for (const [one, marker] of unclaimed) if (marker.isDisposed) unclaimed.delete(one);
      const best = nearest(unclaimed.keys(), at);
      if (best === undefined) {
        waiting.set(at, blockId);
        const [oldest] = waiting.keys();
        if (waiting.size > MAX_UNCLAIMED && oldest !== undefined) waiting.delete(oldest);
        return;
      }
      put(blockId, unclaimed.get(best));
      unclaimed.delete(best);
    },
    lineOf: (blockId) => {
      const marker = placed.get(blockId);
      return marker === undefined || marker.isDisposed ? null : commandLine(marker);
    },
    all: () => [...placed].map(([blockId, marker]) => ({ blockId, line: commandLine(marker) })),
    clear: () => {
      for (const marker of [...placed.values(), ...unclaimed.values()]) marker.dispose();
      placed.clear();
      unclaimed.clear();
      waiting.clear();
    },
  };
}

/**
 * The screen of a terminal, kept off the byte path: bytes are fed to the emulator only when somebody wants to see it. Of a flood
 * only the lines that can still be seen are fed, and from the rest the escape sequences, so that colors and modes stay right.
 */
import { SerializeAddon } from '@xterm/addon-serialize';
import headless, { type IMarker, type Terminal } from '@xterm/headless';
import type { BlockId } from '../contract/terminal.ts';
import { createSerial } from '../node/serial.ts';
import type { Journal } from './journal.ts';

/** As many lines as anybody may ask for. */
const SCROLLBACK_LINES = 5_000;
/** A page that joins gets this many lines above its screen: with more, making the picture would hold up every other terminal. */
const SHOWN_SCROLLBACK_LINES = 1_000;
/** Fed at a time; the emulator takes a few milliseconds for it. */
const SLICE_BYTES = 64 * 1024;
/** Lines are counted this often, to know from where on a flood must be fed. */
const CHECKPOINT_BYTES = 64 * 1024;
/** Blocks remembered for the marks of a picture: more than 1,000 lines of screen can show. */
const MAX_MARKS = 2_000;

interface Picture {
  readonly cursor: number;
  readonly cols: number;
  readonly rows: number;
  readonly data: string;
  readonly marks: { block_id: BlockId; line: number }[];
}

interface PlainScreen {
  readonly cursor: number;
  readonly cols: number;
  readonly rows: string[];
  readonly cursor_row: number;
  readonly cursor_col: number;
  readonly alt_screen: boolean;
  readonly title: string;
}

export interface Screen {
  /** Bytes arrived: `end` and `lines` are the terminal's offset and line count behind them. Feeds nothing. */
  note(end: number, lines: number): void;
  /** The alternate screen was entered or left at this offset: from before it nothing may be left out. */
  noteAltScreen(offset: number, isOn: boolean): void;
  noteBlock(id: BlockId, at: number): void;
  resize(offset: number, cols: number, rows: number): void;
  /** Bytes before this offset are about to go. */
  absorb(upTo: number): void;
  picture(): Promise<Picture>;
  plain(): Promise<PlainScreen>;
  lines(count: number): Promise<{ lines: string[]; truncated: boolean; cursor: number }>;
  close(): void;
}

interface Change {
  readonly offset: number;
  readonly apply: () => void;
}

export function createScreen(journal: Journal, size: { cols: number; rows: number }): Screen {
  const terminal: Terminal = new headless.Terminal({
    ...size,
    scrollback: SCROLLBACK_LINES,
    allowProposedApi: true,
    logLevel: 'off',
  });
  const serializer = new SerializeAddon();
  terminal.loadAddon(serializer);
  let title = '';
  terminal.onTitleChange((next) => {
    title = next.slice(0, 200);
  });
  const marks = new Map<BlockId, IMarker>();
  /** Sizes and blocks, each at its offset, in order. */
  const changes: Change[] = [];
  const checkpoints: { offset: number; lines: number }[] = [];
  let fedTo = journal.end();
  let lines = 0;
  let altSince = 0;
  const feeds = createSerial();

  const applyUpTo = (offset: number) => {
    while (changes[0] !== undefined && changes[0].offset <= offset) changes.shift()?.apply();
  };

  /** Where the bytes must be fed whole: so many lines before the end that nothing older can be seen. */
  const splitPoint = (upTo: number): number => {
    const needed = SCROLLBACK_LINES + terminal.rows + 1;
    const found = checkpoints.findLast((point) => point.offset <= upTo && lines - point.lines >= needed);
    return found === undefined || found.offset <= fedTo || altSince > fedTo ? fedTo : found.offset;
  };

  /** Leaves out text that has scrolled away; ends behind a whole line. */
  const skipTo = (offset: number) => {
    const start = Math.max(fedTo, journal.start());
    const bytes = journal.read(start, offset - start + SLICE_BYTES);
    const end = bytes.indexOf('\r\n', Math.max(0, offset - start));
    if (end < 0) return;
    applyUpTo(start + end + 2);
    terminal.write(sequencesOf(bytes.subarray(0, end)));
    terminal.write('\r\n');
    fedTo = start + end + 2;
  };

  const write = (bytes: Buffer): Promise<void> => new Promise((done) => terminal.write(bytes, done));

  /** In slices, so that bytes and keys of other terminals pass in between. */
  const feed = async (upTo: number) => {
    const split = splitPoint(upTo);
    if (split > fedTo) skipTo(split);
    while (fedTo < upTo) {
      applyUpTo(fedTo);
      if (fedTo < journal.start()) fedTo = journal.start();
      const stop = Math.min(upTo, changes[0]?.offset ?? upTo, fedTo + SLICE_BYTES);
      const bytes = journal.read(fedTo, stop - fedTo);
      if (bytes.length === 0) break;
      fedTo += bytes.length;
      await write(bytes);
    }
    applyUpTo(fedTo);
    while (checkpoints[0] !== undefined && checkpoints[0].offset < fedTo) checkpoints.shift();
    // Whatever else was handed over meanwhile is in the picture too, since `fedTo` counts it.
    for (let told = -1; told !== fedTo; ) {
      told = fedTo;
      await write(NOTHING);
    }
  };

  const catchUp = (): Promise<void> => feeds.run(() => feed(journal.end()));

  return {
    note(end, count) {
      lines = count;
      if (end - (checkpoints.at(-1)?.offset ?? 0) >= CHECKPOINT_BYTES) checkpoints.push({ offset: end, lines: count });
    },
    noteAltScreen(offset, isOn) {
      altSince = isOn ? Number.POSITIVE_INFINITY : offset;
    },
    noteBlock(id, at) {
      changes.push({
        offset: at,
        apply() {
          const marker = terminal.registerMarker(0);
          if (marker !== undefined) marks.set(id, marker);
          const [oldest] = marks.keys();
          if (marks.size > MAX_MARKS && oldest !== undefined) marks.delete(oldest);
        },
      });
    },
    resize(offset, cols, rows) {
      changes.push({ offset, apply: () => terminal.resize(cols, rows) });
    },
    absorb(upTo) {
      if (fedTo >= upTo) return;
      // Whole lines may be left out; otherwise the emulator keeps the bytes until it gets to them.
      if (splitPoint(upTo) > fedTo) skipTo(splitPoint(upTo));
      while (fedTo < upTo) {
        applyUpTo(fedTo);
        const stop = Math.min(upTo, changes[0]?.offset ?? upTo);
        const bytes = journal.read(fedTo, stop - fedTo);
        if (bytes.length === 0) break;
        fedTo += bytes.length;
        terminal.write(bytes);
      }
    },
    async picture() {
      await catchUp();
      const { active } = terminal.buffer;
      const above = Math.min(active.baseY, SHOWN_SCROLLBACK_LINES);
      const top = active.baseY - above;
      const placed = [...marks].map(([block_id, marker]) => ({ block_id, line: marker.line - top }));
      return {
        cursor: fedTo,
        cols: terminal.cols,
        rows: terminal.rows,
        data: serializer.serialize({ scrollback: above }),
        marks: placed.filter(({ line }) => line >= 0),
      };
    },
    async plain() {
      await catchUp();
      const { active } = terminal.buffer;
      return {
        cursor: fedTo,
        cols: terminal.cols,
        rows: textLines(terminal, active.baseY, active.baseY + terminal.rows),
        cursor_row: active.cursorY,
        cursor_col: active.cursorX,
        alt_screen: active.type === 'alternate',
        title,
      };
    },
    async lines(count) {
      await catchUp();
      const { normal } = terminal.buffer;
      const all = unwrapped(terminal, normal.length);
      while (all.at(-1) === '') all.pop();
      return {
        lines: all.slice(-count),
        truncated: all.length > count || normal.baseY >= SCROLLBACK_LINES,
        cursor: fedTo,
      };
    },
    close: () => terminal.dispose(),
  };
}

function textLines(terminal: Terminal, from: number, to: number): string[] {
  const { active } = terminal.buffer;
  return Array.from(
    { length: to - from },
    (_none, index) => active.getLine(from + index)?.translateToString(true) ?? '',
  );
}

/** Lines as they were printed: rows that only the width of the screen parted are one. */
function unwrapped(terminal: Terminal, count: number): string[] {
  const { normal } = terminal.buffer;
  const lines: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const row = normal.getLine(at);
    if (row === undefined) continue;
    const isContinued = normal.getLine(at + 1)?.isWrapped === true;
    const text = row.translateToString(!isContinued);
    if (row.isWrapped && lines.length > 0) lines.push(`${lines.pop() ?? ''}${text}`);
    else lines.push(text);
  }
  return lines;
}

const ESC = 0x1b;
const NOTHING = Buffer.alloc(0);

/** Only the escape sequences of a text: what they set stays set, what was written between them is gone from sight. */
function sequencesOf(bytes: Buffer): Buffer {
  if (!bytes.includes(ESC)) return Buffer.alloc(0);
  const text = bytes.toString('latin1');
  const found = text.match(
    /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b]*\x1b\\|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]/g,
  );
  return Buffer.from((found ?? []).join(''), 'latin1');
}

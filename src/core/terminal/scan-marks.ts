/** Bytes of a PTY → the escape sequences that tell about commands: OSC 133 and 633, and private modes. Incremental: any cut gives the same. */

/** A command of the longest size, escaped. What is longer is no mark of ours. */
const MAX_MARK_BYTES = 512 * 1024;
/** `?1049;2004` and the like; no mode we look for comes in a longer list. */
const MAX_CSI_BYTES = 32;

interface Place {
  /** Absolute offsets: of its ESC, and behind its last byte. */
  readonly start: number;
  readonly end: number;
  /** Line feeds before it since the beginning. */
  readonly lines: number;
  /** Nothing that can be seen was printed since the last line feed. */
  readonly isLineStart: boolean;
}

export type RawMark =
  | (Place & { readonly kind: 'osc'; readonly code: 133 | 633; readonly payload: string })
  | (Place & { readonly kind: 'mode'; readonly modes: readonly number[]; readonly on: boolean });

type Mode = 'text' | 'escape' | 'csi' | 'osc_code' | 'osc' | 'osc_escape' | 'string';

export interface ScanState {
  /** Bytes seen so far. */
  readonly offset: number;
  readonly lines: number;
  readonly isLineStart: boolean;
  readonly mode: Mode;
  /** Where the open sequence began, and how the text stood there. */
  readonly open: Omit<Place, 'end'>;
  /** What was collected of it. */
  readonly short: string;
  readonly parts: readonly Uint8Array[];
  readonly size: number;
}

export function startScan(offset: number): ScanState {
  const open = { start: offset, lines: 0, isLineStart: true };
  return { offset, lines: 0, isLineStart: true, mode: 'text', open, short: '', parts: [], size: 0 };
}

const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
const LF = 0x0a;
const BRACKET_LEFT = 0x5b;
const BRACKET_RIGHT = 0x5d;
const BACKSLASH = 0x5c;

export function scanMarks(from: ScanState, chunk: Uint8Array): { state: ScanState; marks: readonly RawMark[] } {
  const scan = new Scan(from, chunk);
  scan.run();
  return { state: scan.state(), marks: scan.marks };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** One step over one chunk; lives no longer than the call. */
class Scan {
  readonly marks: RawMark[] = [];
  private readonly chunk: Uint8Array;
  private readonly base: number;
  private at = 0;
  private lines: number;
  private isLineStart: boolean;
  private mode: Mode;
  private open: Omit<Place, 'end'>;
  private short: string;
  private parts: readonly Uint8Array[];
  private size: number;

  constructor(from: ScanState, chunk: Uint8Array) {
    this.chunk = chunk;
    this.base = from.offset;
    this.lines = from.lines;
    this.isLineStart = from.isLineStart;
    this.mode = from.mode;
    this.open = from.open;
    this.short = from.short;
    this.parts = from.parts;
    this.size = from.size;
  }

  state(): ScanState {
    const { lines, isLineStart, mode, open, short, parts, size } = this;
    return { offset: this.base + this.chunk.length, lines, isLineStart, mode, open, short, parts, size };
  }

  run(): void {
    while (this.at < this.chunk.length) {
      if (this.mode === 'text') this.findEscape();
      else if (this.mode === 'osc') this.collectOsc();
      else if (this.mode === 'string') this.skipString();
      else this.take(this.chunk[this.at] ?? 0);
    }
  }

  private findEscape(): void {
    const found = this.chunk.indexOf(ESC, this.at);
    const end = found < 0 ? this.chunk.length : found;
    this.countText(this.at, end);
    this.at = end;
    if (found >= 0) this.begin(found);
  }

  /** Titles, links and the like: up to their end, which is none of ours. */
  private skipString(): void {
    while (this.at < this.chunk.length && !isStringEnd(this.chunk[this.at] ?? 0)) this.at += 1;
    if (this.at === this.chunk.length) return;
    if (this.chunk[this.at] === ESC) this.begin(this.at);
    else {
      this.at += 1;
      this.mode = 'text';
    }
  }

  /** An ESC begins a sequence, wherever it stands. */
  private begin(at: number): void {
    this.open = { start: this.base + at, lines: this.lines, isLineStart: this.isLineStart };
    this.mode = 'escape';
    this.short = '';
    this.parts = [];
    this.size = 0;
    this.at = at + 1;
  }

  private take(byte: number): void {
    if (byte === ESC && this.mode !== 'osc_escape') {
      this.begin(this.at);
      return;
    }
    switch (this.mode) {
      case 'escape':
        // Intermediate bytes, as of a choice of character set, are followed by one that ends it.
        if (byte < 0x20 || byte > 0x2f) this.mode = modeAfterEscape(byte);
        this.at += 1;
        break;
      case 'csi':
        this.takeCsi(byte);
        break;
      case 'osc_code':
        this.takeCode(byte);
        break;
      case 'osc_escape':
        if (byte === BACKSLASH) {
          this.at += 1;
          this.emitOsc();
        } else {
          // The string was cut off; its ESC belongs to what follows.
          this.open = { start: this.base + this.at - 1, lines: this.lines, isLineStart: this.isLineStart };
          this.mode = 'escape';
          this.short = '';
          this.parts = [];
          this.size = 0;
        }
        break;
      default:
        this.mode = 'text';
    }
  }

  private takeCsi(byte: number): void {
    this.at += 1;
    if (byte >= 0x40 && byte <= 0x7e) {
      this.mode = 'text';
      if ((byte === 0x68 || byte === 0x6c) && this.short.startsWith('?')) {
        const modes = this.short.slice(1).split(';').map(Number);
        this.marks.push({ ...this.open, end: this.base + this.at, kind: 'mode', modes, on: byte === 0x68 });
      }
    } else if (byte === CAN || byte === SUB || this.short.length >= MAX_CSI_BYTES) this.mode = 'text';
    else if (byte >= 0x20) this.short += String.fromCharCode(byte);
  }

  private takeCode(byte: number): void {
    this.short += String.fromCharCode(byte);
    this.at += 1;
    if (this.short === '133;' || this.short === '633;') this.mode = 'osc';
    else if (isStringEnd(byte)) this.mode = 'text';
    else if (!'133;'.startsWith(this.short) && !'633;'.startsWith(this.short)) this.mode = 'string';
  }

  private collectOsc(): void {
    const { chunk } = this;
    let end = this.at;
    while (end < chunk.length && !isStringEnd(chunk[end] ?? 0)) end += 1;
    if (end > this.at) {
      // A copy: the caller may use its buffer again.
      this.parts = [...this.parts, chunk.slice(this.at, end)];
      this.size += end - this.at;
    }
    this.at = end;
    if (this.size > MAX_MARK_BYTES) this.mode = 'string';
    else if (end < chunk.length) this.endOsc(chunk[end] ?? 0);
  }

  private endOsc(byte: number): void {
    this.at += 1;
    if (byte === BEL) this.emitOsc();
    else this.mode = byte === ESC ? 'osc_escape' : 'text';
  }

  private emitOsc(): void {
    const bytes = new Uint8Array(this.size);
    let at = 0;
    for (const part of this.parts) {
      bytes.set(part, at);
      at += part.length;
    }
    const code = this.short === '133;' ? 133 : 633;
    this.marks.push({ ...this.open, end: this.base + this.at, kind: 'osc', code, payload: decoder.decode(bytes) });
    this.mode = 'text';
    this.parts = [];
  }

  private countText(from: number, to: number): void {
    const { chunk } = this;
    let { lines } = this;
    for (let at = from; at < to; at += 1) if (chunk[at] === LF) lines += 1;
    this.lines = lines;
    for (let at = to - 1; at >= from; at -= 1) {
      const byte = chunk[at] ?? 0;
      if (byte < 0x20 && byte !== LF) continue;
      this.isLineStart = byte === LF;
      return;
    }
  }
}

function modeAfterEscape(byte: number): Mode {
  if (byte === BRACKET_LEFT) return 'csi';
  return byte === BRACKET_RIGHT ? 'osc_code' : 'text';
}

function isStringEnd(byte: number): boolean {
  return byte === BEL || byte === ESC || byte === CAN || byte === SUB;
}

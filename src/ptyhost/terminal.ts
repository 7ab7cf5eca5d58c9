/** One terminal: a PTY, its journal, its screen, its blocks and its viewers, tied together. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { BlockRecord, HostTerminal, OpenTerminal } from '../contract/pty-host.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { BlockId, PtySize, ScreenSnapshot, ScrollbackSnapshot, ShellId } from '../contract/terminal.ts';
import {
  advanceBlocks,
  type BlocksEvent,
  type BlocksOutput,
  type BlocksState,
  measure,
  type PlacedBlock,
  type Spot,
  startBlocks,
} from '../core/terminal/advance-blocks.ts';
import { type BlankState, blankNonces, NONCE_PREFIX } from '../core/terminal/blank-nonces.ts';
import { cleanOutput } from '../core/terminal/clean-output.ts';
import { readMark } from '../core/terminal/mark.ts';
import { runningStateOf } from '../core/terminal/running-state.ts';
import { type RawMark, type ScanState, scanMarks, startScan } from '../core/terminal/scan-marks.ts';
import { typeCommand } from '../core/terminal/type-command.ts';
import type { Clock, Timer } from '../node/clock.ts';
import { openBlockFiles } from './block-files.ts';
import { MAX_ECHO_BYTES, readEcho } from './echo-text.ts';
import { createHold } from './hold.ts';
import { openJournal } from './journal.ts';
import { inputDropped, type Pty, spawnPty } from './pty.ts';
import { createScreen } from './screen.ts';
import { planShell } from './shell-start.ts';
import { type AttachedViewer, createViewers, type ViewerPort } from './viewers.ts';

export interface TerminalPorts {
  readonly clock: Clock;
  readonly onBlock: (kind: 'begin' | 'change' | 'end', record: BlockRecord) => void;
  readonly onState: (terminal: HostTerminal) => void;
  /** The newest state that was handed out no longer holds; called once, until another one is handed out. */
  readonly onOutdated: () => void;
  readonly onExit: (exitCode: number | null, signal: string | null) => void;
}

export interface HostedTerminal {
  readonly shellId: ShellId;
  readonly pid: number;
  /** For a client that keeps the state: it is notified when it no longer holds. */
  facts(): HostTerminal;
  isIdle(): boolean;
  /** The block it became, as soon as it runs. */
  exec(command: string, actor: 'user' | 'agent'): Promise<Result<BlockId>>;
  input(data: string, actor: 'user' | 'agent'): Result<null>;
  resize(size: PtySize): void;
  /** The viewer's first frame is the state: bytes before its cursor were printed before the viewer came. */
  attach(cursor: number | null, port: ViewerPort): AttachedViewer;
  screen(): Promise<ScreenSnapshot>;
  scrollback(lines: number): Promise<ScrollbackSnapshot>;
}

/** A running block says how far it is at most so often. */
const CHANGE_MS = 250;
/** Of what came since, for the story in events.jsonl. */
const MAX_DELTA_BYTES = 2 * 1024;
/** In the file of the scrollback, which is for whoever reads the folder. */
const SNAPSHOT_LINES = 500;
const ALT_SCREEN_MODES = [47, 1047, 1049];

export function openTerminal(request: OpenTerminal, ports: TerminalPorts): HostedTerminal {
  const { clock } = ports;
  const shellId: ShellId = `shl_${randomBytes(16).toString('hex')}`;
  /** The shell replaces it at each prompt. In memory only: a shell does not outlive its host. */
  let nonce = `${NONCE_PREFIX}${randomBytes(16).toString('hex')}`;
  const limits = { head: request.output_head_bytes, tail: request.output_tail_bytes };
  const journal = openJournal(join(request.dir, 'journal'), (upTo) => screen.absorb(upTo));
  const screen = createScreen(journal, request);
  const viewers = createViewers(journal, screen, () => size, clock);
  const files = openBlockFiles(request.dir, shellId, limits);
  const start = planShell(request, shellId, nonce);

  let scan: ScanState = startScan(journal.end());
  let blanking: BlankState = 0;
  let blocks: BlocksState = startBlocks(request.cwd, files.lastSeq);
  let size: PtySize = { cols: request.cols, rows: request.rows };
  let hasMarks = false;
  let hasTyped = false;
  let isOver = false;
  let promptAt = journal.end();
  let record: BlockRecord | null = null;
  let told = 0;
  let changeTimer: Timer | null = null;
  let picturing: Promise<void> | null = null;
  /** The command that was typed for somebody and does not run yet. */
  let waiting: ((answer: Result<BlockId>) => void) | null = null;
  const settleExec = (answer: Result<BlockId>) => {
    waiting?.(answer);
    waiting = null;
  };

  /** Whether the newest state handed out holds, and whether clients take it to. */
  let isStateCurrent = false;
  let isTakenAsCurrent = false;
  const currentState = (): HostTerminal => ({
    key: request.key,
    shell_id: shellId,
    pid: pty.pid,
    shell: start.title,
    has_blocks: start.name !== null && (hasMarks || blocks.phase === 'starting'),
    cwd: blocks.cwd,
    ...size,
    cursor: journal.end(),
    at_prompt: blocks.phase === 'prompt',
    last_exit_code: blocks.lastExitCode,
    last_block_seq: blocks.lastSeq,
  });
  const facts = (): HostTerminal => {
    isStateCurrent = true;
    isTakenAsCurrent = true;
    return currentState();
  };
  const sendState = () => {
    if (!isOver) ports.onState(facts());
  };
  const notifyOutdated = () => {
    if (isStateCurrent || !isTakenAsCurrent) return;
    isTakenAsCurrent = false;
    ports.onOutdated();
  };

  const onBytes = (printed: Buffer) => {
    const offset = journal.end();
    const step = scanMarks(scan, printed);
    // Only the marks are read from what was printed; whatever is stored or shown has no nonce in it.
    const blank = blankNonces(blanking, printed);
    blanking = blank.state;
    const bytes = Buffer.from(blank.bytes.buffer, blank.bytes.byteOffset, blank.bytes.length);
    journal.append(bytes);
    isStateCurrent = false;
    let written = offset;
    for (const raw of step.marks) {
      written = keepOutput(bytes, offset, written, raw.start);
      const wasRunning = blocks.open !== null;
      onMark(raw);
      if (!wasRunning) written = raw.end;
    }
    keepOutput(bytes, offset, written, offset + bytes.length);
    scan = step.state;
    screen.note(scan.offset, scan.lines);
    notifyOutdated();
    viewers.onBytes(offset, bytes);
    if (blocks.open !== null) changeTimer ??= clock.setTimer(CHANGE_MS, tellChange);
    if (viewers.isFull()) hold.begin();
  };

  /** The part of a chunk that belongs to the running block: from behind its first mark up to its last. */
  const keepOutput = (bytes: Buffer, offset: number, from: number, to: number): number => {
    if (blocks.open !== null && to > from) files.write(bytes.subarray(Math.max(0, from - offset), to - offset));
    return Math.max(from, to);
  };

  const onMark = (raw: RawMark) => {
    if (raw.kind === 'mode') {
      if (!raw.modes.some((mode) => ALT_SCREEN_MODES.includes(mode))) return;
      screen.noteAltScreen(raw.end, raw.on);
      if (raw.on) apply({ type: 'alt_screen' });
      return;
    }
    const mark = readMark(raw, nonce);
    if (mark === null) return;
    if (!hasMarks) {
      hasMarks = true;
      start.forget();
    }
    const at = clock.now();
    const newId = `blk_${randomBytes(16).toString('hex')}`;
    if (mark.kind === 'prompt') {
      promptAt = raw.start;
      hasTyped = false;
      nonce = mark.nextNonce ?? nonce;
    }
    const isUnknown = mark.kind === 'command' && mark.text === null && blocks.expected === null;
    const known = isUnknown ? ({ kind: 'command', text: echoUpTo(raw.start) } as const) : mark;
    apply({ type: 'mark', mark: known, spot: raw, at, newId });
    isStateCurrent = false;
    if (mark.kind === 'prompt' || mark.kind === 'cwd') sendState();
  };

  const echoUpTo = (end: number): string => {
    const from = Math.max(promptAt, journal.start(), end - MAX_ECHO_BYTES);
    return readEcho(journal.read(from, end - from), size.cols);
  };

  const apply = (event: BlocksEvent) => {
    const step = advanceBlocks(blocks, event);
    blocks = step.state;
    for (const output of step.outputs) perform(output);
  };

  const perform = (output: BlocksOutput): void => {
    switch (output.do) {
      case 'begin':
        begin(output.placed);
        break;
      case 'end':
        end(output.placed);
        break;
      case 'unrun':
        settleExec(fail('invalid_request', 'the shell could not read the command, or there was nothing to run in it'));
        break;
      default:
        output satisfies never;
    }
  };

  const begin = ({ block, at }: PlacedBlock) => {
    record = files.begin(block, at);
    told = at;
    screen.noteBlock(block.block_id, at);
    ports.onBlock('begin', record);
    settleExec(ok(block.block_id));
    sendState();
  };

  const end = ({ block, at }: PlacedBlock) => {
    changeTimer?.cancel();
    changeTimer = null;
    const last = at + block.output_bytes;
    record = files.end(block, (max) => {
      const from = Math.max(journal.start(), last - max);
      return journal.read(from, last - from);
    });
    ports.onBlock('end', record);
    takePictures();
  };

  /** One at a time; a command that ends meanwhile is in the next one. */
  const takePictures = () => {
    picturing ??= (async () => {
      await clock.sleep(0);
      const [plain, lines] = [await screenNow(), await scrollback(SNAPSHOT_LINES)];
      files.snapshot('screen', plain);
      files.snapshot('scrollback', lines);
    })()
      .catch(() => undefined)
      .finally(() => {
        picturing = null;
      });
  };

  const spotNow = (): Spot => ({
    start: scan.offset,
    end: scan.offset,
    lines: scan.lines,
    isLineStart: scan.isLineStart,
  });

  const tellChange = () => {
    changeTimer = null;
    if (blocks.open === null || record === null) return;
    const block = measure(blocks.open, spotNow());
    const from = Math.max(told, journal.end() - MAX_DELTA_BYTES, journal.start());
    told = journal.end();
    files.delta(block, cleanOutput(journal.read(from, told - from).toString('utf8')));
    ports.onBlock('change', { ...record, ...block });
  };

  const hold = createHold({ hold: (isHeld) => pty.hold(isHeld), isFull: viewers.isFull, clock });

  const screenNow = async (): Promise<ScreenSnapshot> => ({ shell_id: shellId, ...(await screen.plain()) });
  const scrollback = async (lines: number): Promise<ScrollbackSnapshot> => ({
    shell_id: shellId,
    ...(await screen.lines(lines)),
  });

  const pty: Pty = spawnPty({
    command: start.command,
    cwd: request.cwd,
    env: start.env,
    ...size,
    onBytes,
    onExit(exitCode, signal) {
      apply({ type: 'shell_exit', exitCode, spot: spotNow(), at: clock.now() });
      isOver = true;
      settleExec(fail('not_running', 'the shell ended'));
      hold.end();
      start.forget();
      viewers.sendAll({ type: 'exit', exit_code: exitCode, signal });
      void (picturing ?? Promise.resolve()).then(() => {
        journal.close();
        screen.close();
        ports.onExit(exitCode, signal);
      });
    },
  });

  return {
    shellId,
    pid: pty.pid,
    facts,
    isIdle: () => blocks.phase === 'prompt',
    async exec(command, actor) {
      if (start.name === null) return fail('conflict', `${start.title} does not tell where its commands begin and end`);
      if (blocks.phase !== 'prompt' || waiting !== null) {
        return fail('conflict', 'the terminal is busy: wait for its command, or stop it', {
          command: blocks.open?.block.cmd ?? null,
        });
      }
      apply({ type: 'expect', command, actor });
      pty.write(typeCommand(start.name, command, hasTyped));
      return new Promise((done) => {
        waiting = done;
      });
    },
    input(data, actor) {
      hasTyped = true;
      apply({ type: 'typed', actor });
      return pty.write(data) ? ok(null) : inputDropped();
    },
    resize(next) {
      if (next.cols === size.cols && next.rows === size.rows) return;
      size = next;
      pty.resize(next.cols, next.rows);
      screen.resize(journal.end(), next.cols, next.rows);
      viewers.sendAll({ type: 'size', ...next });
      sendState();
    },
    attach(cursor, port) {
      port.send({ type: 'state', state: runningStateOf(currentState()) });
      const viewer = viewers.add(cursor, port);
      return {
        ack(drawn) {
          viewer.ack(drawn);
          hold.recheck();
        },
        detach() {
          viewer.detach();
          hold.recheck();
        },
      };
    },
    screen: screenNow,
    scrollback,
  };
}

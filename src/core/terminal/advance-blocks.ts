/** Marks of a shell → its blocks: one per command, with where its output begins and how it ended. */
import type { Block, BlockId } from '../../contract/terminal.ts';
import type { Mark } from './mark.ts';

type Actor = Block['actor'];

/** A block and where its output lies among the terminal's bytes. */
export interface PlacedBlock {
  readonly block: Block;
  readonly at: number;
  /** Line feeds the terminal had printed when the output began. */
  readonly linesAt: number;
}

export interface BlocksState {
  /** starting: no prompt was seen yet. */
  readonly phase: 'starting' | 'prompt' | 'running';
  readonly cwd: string;
  readonly lastSeq: number;
  readonly lastExitCode: number | null;
  readonly open: PlacedBlock | null;
  /** The text of the next command, as its shell told it. */
  readonly told: string | null;
  /** The command that was typed for somebody, whose words and actor the next block takes. */
  readonly expected: { readonly command: string; readonly actor: Actor } | null;
  /** Who typed last. */
  readonly typist: Actor;
}

/** Where in the bytes something was seen. `lines`, `isLineStart`: how the text stood before it. */
export interface Spot {
  readonly start: number;
  readonly end: number;
  readonly lines: number;
  readonly isLineStart: boolean;
}

export type BlocksEvent =
  | {
      readonly type: 'mark';
      readonly mark: Mark;
      readonly spot: Spot;
      readonly at: number;
      /** For a block that begins here. */
      readonly newId: BlockId;
    }
  | { readonly type: 'alt_screen' }
  | { readonly type: 'expect'; readonly command: string; readonly actor: Actor }
  | { readonly type: 'typed'; readonly actor: Actor }
  | { readonly type: 'shell_exit'; readonly exitCode: number | null; readonly spot: Spot; readonly at: number };

export type BlocksOutput =
  | { readonly do: 'begin' | 'end'; readonly placed: PlacedBlock }
  /** The shell asks for the next command, and never ran the one that was typed for somebody. */
  | { readonly do: 'unrun' };

export interface BlocksStep {
  readonly state: BlocksState;
  readonly outputs: readonly BlocksOutput[];
}

/** What a shell answers when Ctrl-C ended its command: 128 and the number of SIGINT. */
const INTERRUPTED = 130;

export function startBlocks(cwd: string, lastSeq: number): BlocksState {
  return {
    phase: 'starting',
    cwd,
    lastSeq,
    lastExitCode: null,
    open: null,
    told: null,
    expected: null,
    typist: 'user',
  };
}

export function advanceBlocks(state: BlocksState, event: BlocksEvent): BlocksStep {
  switch (event.type) {
    case 'mark':
      return onMark(state, event);
    case 'alt_screen':
      return stay(state.open === null ? state : { ...state, open: withAltScreen(state.open) });
    case 'expect':
      return stay({ ...state, expected: { command: event.command, actor: event.actor } });
    case 'typed':
      return stay({ ...state, typist: event.actor });
    case 'shell_exit':
      return end({ ...state, phase: 'starting', expected: null }, event, 'shell_exited', event.exitCode);
    default:
      return event satisfies never;
  }
}

/** What a running block has printed up to `spot`. */
export function measure({ block, at, linesAt }: PlacedBlock, spot: Spot): Block {
  const bytes = Math.max(0, spot.start - at);
  // A last line without its line feed is a line all the same.
  const open = bytes > 0 && !spot.isLineStart ? 1 : 0;
  return { ...block, output_bytes: bytes, output_lines: bytes === 0 ? 0 : spot.lines - linesAt + open };
}

function onMark(state: BlocksState, event: Extract<BlocksEvent, { type: 'mark' }>): BlocksStep {
  const { mark } = event;
  switch (mark.kind) {
    case 'cwd':
      return stay({ ...state, cwd: mark.path });
    case 'command':
      return stay(state.open === null ? { ...state, told: mark.text } : state);
    case 'run':
      return state.open === null ? begin(state, event) : stay(state);
    case 'done':
      if (state.open === null) return stay(state);
      return end(state, event, mark.exitCode === INTERRUPTED ? 'interrupted' : 'completed', mark.exitCode);
    case 'prompt': {
      // A prompt without the end of the command before it: somebody took our part out of the prompt.
      const step = end(state, event, 'lost', null);
      const unrun = state.expected === null ? [] : [{ do: 'unrun' } as const];
      return {
        state: { ...step.state, phase: 'prompt', told: null, expected: null },
        outputs: [...step.outputs, ...unrun],
      };
    }
    default:
      return mark satisfies never;
  }
}

function begin(state: BlocksState, event: Extract<BlocksEvent, { type: 'mark' }>): BlocksStep {
  const seq = state.lastSeq + 1;
  const { expected } = state;
  const block: Block = {
    block_id: event.newId,
    seq,
    cmd: expected?.command ?? state.told ?? '',
    cwd: state.cwd,
    exit_code: null,
    ts_begin: event.at,
    ts_end: null,
    output_bytes: 0,
    output_lines: 0,
    alt_screen: false,
    status: 'running',
    actor: expected?.actor ?? state.typist,
  };
  const placed = { block, at: event.spot.end, linesAt: event.spot.lines };
  return {
    state: { ...state, phase: 'running', lastSeq: seq, open: placed, told: null, expected: null },
    outputs: [{ do: 'begin', placed }],
  };
}

function end(
  state: BlocksState,
  event: { readonly spot: Spot; readonly at: number },
  status: Block['status'],
  exitCode: number | null,
): BlocksStep {
  const { open } = state;
  if (open === null) return stay(state);
  const block: Block = { ...measure(open, event.spot), status, exit_code: exitCode, ts_end: event.at };
  const next = { ...state, open: null, lastExitCode: exitCode ?? state.lastExitCode, typist: 'user' as const };
  return { state: next, outputs: [{ do: 'end', placed: { ...open, block } }] };
}

const withAltScreen = (open: PlacedBlock): PlacedBlock => ({ ...open, block: { ...open.block, alt_screen: true } });
const stay = (state: BlocksState): BlocksStep => ({ state, outputs: [] });

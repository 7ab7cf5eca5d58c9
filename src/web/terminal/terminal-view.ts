/** One open terminal: its socket, its screen, its commands, and what the pane shows of them. No React. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Block, BlockId, PtyServerFrame, TerminalKey, TerminalState } from '../../contract/terminal.ts';
import type { FileRef } from '../../core/files/find-file-refs.ts';
import type { AttachStep } from './attach.ts';
import { type BlockList, stepBlock, withBlock, withBlocks } from './block-list.ts';
import { type GutterMark, sameMarks } from './gutter.ts';
import { type BarKey, bytesOfKey, withControl } from './key-bytes.ts';
import { createPtyLink, type PtyLinkState } from './pty-link.ts';
import { openScreen, type ScreenLook, type ScreenPorts } from './screen.ts';
import type { Ask } from './screen-guards.ts';

export interface TerminalShown {
  readonly link: PtyLinkState;
  readonly state: TerminalState | null;
  readonly blocks: BlockList;
  readonly marks: readonly GutterMark[];
  /** The one that was jumped to. */
  readonly current: BlockId | null;
  readonly ask: Ask | null;
  readonly exit: Extract<PtyServerFrame, { type: 'exit' }> | null;
  readonly refusal: string | null;
  /** Hits of the search: which, of how many. */
  readonly found: { readonly at: number; readonly total: number };
  /** Ctrl of the touch bar holds for the next letter. */
  readonly isControlHeld: boolean;
}

export interface TerminalViewPorts {
  readonly terminalKey: TerminalKey;
  readonly host: HTMLElement;
  readonly look: ScreenLook;
  readonly onKey: ScreenPorts['onKey'];
  /** The link is back after a cut: what blocks have become meanwhile was told to nobody here. */
  readonly onReturn: () => void;
  /** A name of a file was pressed; absolute, or relative where the shell has not said where it is. */
  readonly onFile: (file: FileRef) => void;
}

export interface TerminalView {
  readonly store: StoreApi<TerminalShown>;
  readonly screen: Pick<ReturnType<typeof openScreen>, 'find' | 'endFind' | 'selection' | 'focus' | 'scrollToEnd'>;
  setLook(look: ScreenLook): void;
  addBlocks(blocks: readonly Block[]): void;
  /** The block that is now at the top, or null at the end of them. */
  jump(by: 1 | -1): Block | null;
  jumpTo(block: Block): boolean;
  press(key: BarKey): void;
  holdControl(isHeld: boolean): void;
  dismissAsk(): void;
  /** The shell was started again. */
  restart(): void;
  /** The place for the screen has another size. */
  fit(): void;
  close(): void;
}

const NOTHING_FOUND = { at: -1, total: 0 };

export function openTerminalView(ports: TerminalViewPorts): TerminalView {
  const { terminalKey, host, look, onKey, onReturn } = ports;
  const store = createStore<TerminalShown>(() => ({
    link: 'connecting',
    state: null,
    blocks: [],
    marks: [],
    current: null,
    ask: null,
    exit: null,
    refusal: null,
    found: NOTHING_FOUND,
    isControlHeld: false,
  }));
  const set = store.setState;
  let frame: number | null = null;
  /** What this viewer last asked for on this socket; the server knows whose size counts. */
  let asked = '';

  const screen = openScreen(host, look, {
    onKey,
    onInput: (typed) => {
      const isHeld = store.getState().isControlHeld;
      if (isHeld) set({ isControlHeld: false });
      link.say({ type: 'input', data: isHeld ? withControl(typed) : typed });
    },
    onDrawn: (cursor) => link.drawn(cursor),
    onView: () => {
      frame ??= requestAnimationFrame(() => {
        frame = null;
        set((before) => ({ marks: sameMarks(before.marks, screen.marks()) }));
      });
    },
    onAsk: (ask) => set({ ask }),
    onFile: ({ path, line }) => {
      const cwd = store.getState().state?.cwd ?? '';
      const isRelative = !/^[/~]/.test(path);
      ports.onFile({ path: isRelative && cwd !== '' ? `${cwd}/${path}` : path, line });
    },
    onFound: (at, total) => set({ found: { at, total } }),
  });

  let wasOpen = false;
  const link = createPtyLink({
    terminalKey,
    onState: (state) => {
      set({ link: state });
      if (state !== 'open') return;
      if (wasOpen) onReturn();
      wasOpen = true;
      set({ refusal: null });
      asked = '';
      askForSize();
    },
    onStep: perform,
  });

  function perform(step: Exclude<AttachStep, { act: 'reattach' }>): void {
    if (step.act === 'write') screen.write(step.bytes, step.from, step.isReplay);
    else if (step.act === 'reset') screen.reset(step.frame);
    else if (step.act === 'resize') screen.resize(step.cols, step.rows);
    else take(step.frame);
  }

  function take(told: Extract<AttachStep, { act: 'tell' }>['frame']): void {
    // A state comes from a terminal that goes on: a refusal before it is over.
    if (told.type === 'state') set({ state: told.state, refusal: null });
    else if (told.type === 'exit') set({ exit: told });
    else if (told.type === 'refused') set({ refusal: told.message });
    else {
      set((before) => ({ blocks: withBlock(before.blocks, told.block) }));
      screen.claim(told.block.block_id, told.at);
    }
  }

  /** Of several viewers the one that typed last leads: the server keeps everyone's wish. */
  function askForSize(): void {
    const size = screen.wantedSize();
    const wish = size === null ? '' : `${size.cols}x${size.rows}`;
    if (size === null || wish === asked || store.getState().link !== 'open') return;
    asked = wish;
    link.say({ type: 'resize', ...size });
  }

  addEventListener('online', link.nudge);

  function jumpTo(block: Block): boolean {
    if (!screen.isPlaced(block.block_id)) return false;
    set({ current: block.block_id });
    screen.scrollTo(block.block_id);
    return true;
  }

  return {
    store,
    screen,
    setLook: (next) => {
      screen.setLook(next);
      askForSize();
    },
    addBlocks: (blocks) => set((before) => ({ blocks: withBlocks(before.blocks, blocks) })),
    jump: (by) => {
      const { blocks, current } = store.getState();
      const next = stepBlock(blocks, current, by, screen.isPlaced);
      if (next !== null) jumpTo(next);
      else if (by === 1) {
        set({ current: null });
        screen.scrollToEnd();
      }
      return next;
    },
    jumpTo,
    press: (key) => {
      link.say({ type: 'input', data: bytesOfKey(key, screen.isApplicationMode()) });
      screen.focus();
    },
    holdControl: (isControlHeld) => set({ isControlHeld }),
    dismissAsk: () => set({ ask: null }),
    restart: () => {
      set({ exit: null, refusal: null });
      link.restart();
    },
    fit: askForSize,
    close: () => {
      removeEventListener('online', link.nudge);
      if (frame !== null) cancelAnimationFrame(frame);
      link.close();
      screen.dispose();
    },
  };
}

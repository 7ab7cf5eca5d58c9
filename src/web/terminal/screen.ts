/** xterm, dressed for this page: under our content policy, in our colors, with marks, and deaf to what a program must not ask. */
import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Terminal } from '@xterm/xterm';
import type { BlockId } from '../../contract/terminal.ts';
import type { FileRef } from '../../core/files/find-file-refs.ts';
import { EN_TERMINAL_PANE } from '../strings/en-terminal-pane.ts';
import type { ScreenFrame } from './attach.ts';
import { findMarks, NO_SCAN } from './find-marks.ts';
import { type GutterMark, layoutGutter } from './gutter.ts';
import { createPlaces } from './places.ts';
import { policyDocument } from './policy-document.ts';
import { type Ask, guardQueries, offerLinks } from './screen-guards.ts';
import { readFont, readFoundColors, readTheme } from './theme.ts';

export interface ScreenPorts {
  readonly onInput: (data: string) => void;
  /** Everything before this offset is drawn. */
  readonly onDrawn: (cursor: number) => void;
  /** Lines moved: what stands beside them is to be laid out again. */
  readonly onView: () => void;
  readonly onAsk: (ask: Ask) => void;
  readonly onFile: (file: FileRef) => void;
  readonly onFound: (at: number, total: number) => void;
  /** True for a key of the page's own. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

export interface ScreenLook {
  readonly fontSize: number;
  readonly isSpoken: boolean;
}

/** As many lines as somebody scrolls back by hand; more is in the blocks and their files. */
const SCROLLBACK_LINES = 10_000;
/** One line of text in the line above a mark that was jumped to. */
const LINES_ABOVE = 1;

Terminal.strings.promptLabel = EN_TERMINAL_PANE.screen;

export function openScreen(host: HTMLElement, look: ScreenLook, ports: ScreenPorts) {
  const terminal = new Terminal({
    documentOverride: policyDocument,
    allowProposedApi: true,
    scrollback: SCROLLBACK_LINES,
    fontFamily: readFont(host),
    fontSize: look.fontSize,
    theme: readTheme(host),
    screenReaderMode: look.isSpoken,
    cursorBlink: false,
    macOptionIsMeta: true,
    // Text of a program's own colors stays readable on either ground.
    minimumContrastRatio: 4.5,
    linkHandler: { activate: (_event, url) => ports.onAsk({ kind: 'link', text: url }) },
  });
  const fit = new FitAddon();
  const search = new SearchAddon();
  const places = createPlaces((line) => {
    let at = line;
    while (at > 0 && terminal.buffer.normal.getLine(at)?.isWrapped) at -= 1;
    return at;
  });
  let scan = NO_SCAN;
  let written = 0;
  let isReplaying = false;

  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  terminal.open(host);
  terminal.attachCustomKeyEventHandler((event) => !ports.onKey(event));
  guardQueries(terminal, { isReplaying: () => isReplaying, onAsk: ports.onAsk });
  offerLinks(terminal, ports.onAsk, ports.onFile);
  terminal.onData(ports.onInput);
  terminal.onRender(ports.onView);
  terminal.onScroll(ports.onView);
  terminal.buffer.onBufferChange(ports.onView);
  search.onDidChangeResults(({ resultIndex, resultCount }) => ports.onFound(resultIndex, resultCount));

  function put(bytes: Uint8Array, end: number, isMark: boolean): void {
    terminal.write(bytes, () => {
      if (isMark) places.note(end, terminal.registerMarker(0));
      ports.onDrawn(end);
    });
  }

  return {
    write: (bytes: Uint8Array, from: number, isOld: boolean): void => {
      const found = findMarks(scan, bytes);
      scan = found.scan;
      written = from + bytes.length;
      const wanted = [...places.wanted()].map((at) => at - from).filter((at) => at > 0 && at <= bytes.length);
      const edges = [...new Set([...found.ends, ...wanted])].sort((a, b) => a - b);
      let start = 0;
      if (isOld) terminal.write('', () => (isReplaying = true));
      for (const edge of edges) {
        put(bytes.subarray(start, edge), from + edge, true);
        start = edge;
      }
      if (start < bytes.length) put(bytes.subarray(start), written, false);
      if (isOld) terminal.write('', () => (isReplaying = false));
    },
    /** Everything anew: what the server says the screen is. */
    reset: ({ data, cols, rows, cursor, marks }: ScreenFrame): void => {
      scan = NO_SCAN;
      written = cursor;
      // At once: blocks told from now on belong to the new picture. Markers of the old one go with its lines.
      places.clear();
      terminal.write('\x1bc', () => {
        isReplaying = true;
        terminal.resize(cols, rows);
      });
      terminal.write(data, () => {
        const { baseY, cursorY } = terminal.buffer.normal;
        for (const { block_id, line } of marks) {
          places.put(block_id, terminal.registerMarker(line - (baseY + cursorY)));
        }
        isReplaying = false;
        ports.onDrawn(cursor);
        ports.onView();
      });
    },
    resize: (cols: number, rows: number): void => {
      if (cols !== terminal.cols || rows !== terminal.rows) terminal.resize(cols, rows);
    },
    /** The size that fills the place there is. */
    wantedSize: (): { readonly cols: number; readonly rows: number } | null => {
      const size = fit.proposeDimensions();
      if (size === undefined || !(size.cols >= 2) || !(size.rows >= 1)) return null;
      return { cols: size.cols, rows: size.rows };
    },
    claim: (blockId: BlockId, at: number): void => places.claim(blockId, at),
    isPlaced: (blockId: BlockId): boolean => places.lineOf(blockId) !== null,
    marks: (): readonly GutterMark[] => {
      const { active } = terminal.buffer;
      const screen = terminal.element?.querySelector('.xterm-screen');
      if (active.type === 'alternate' || !screen) return [];
      const cellHeight = screen.clientHeight / terminal.rows;
      return layoutGutter(places.all(), { top: active.viewportY, rows: terminal.rows, cellHeight });
    },
    scrollTo: (blockId: BlockId): void => {
      const line = places.lineOf(blockId);
      if (line !== null) terminal.scrollToLine(Math.max(0, line - LINES_ABOVE));
    },
    scrollToEnd: (): void => terminal.scrollToBottom(),
    find: (text: string, isBack: boolean): void => {
      const options = { decorations: readFoundColors(host) };
      if (text === '') search.clearDecorations();
      else if (isBack) search.findPrevious(text, options);
      else search.findNext(text, options);
    },
    endFind: (): void => search.clearDecorations(),
    setLook: (next: ScreenLook): void => {
      terminal.options.fontSize = next.fontSize;
      terminal.options.screenReaderMode = next.isSpoken;
      terminal.options.theme = readTheme(host);
    },
    isApplicationMode: (): boolean => terminal.modes.applicationCursorKeysMode,
    selection: (): string => terminal.getSelection(),
    focus: (): void => terminal.focus(),
    dispose: (): void => {
      places.clear();
      terminal.dispose();
    },
  };
}

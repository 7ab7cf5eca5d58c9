/** The socket to a conversation's terminal: comes back within a second with its cursor, for as long as it is wanted. */
import type { PtyClientFrame, TerminalKey } from '../../contract/terminal.ts';
import { pageSession } from '../state/page-session.ts';
import { type Attached, type AttachStep, DETACHED, takeBytes, takeDrawn, takeFrame } from './attach.ts';

export type PtyLinkState = 'connecting' | 'open' | 'lost';

export interface PtyLinkPorts {
  readonly terminalKey: TerminalKey;
  readonly onStep: (step: Exclude<AttachStep, { act: 'reattach' }>) => void;
  readonly onState: (state: PtyLinkState) => void;
}

export interface PtyLink {
  say(frame: PtyClientFrame): void;
  /** Everything up to here is on the screen. */
  drawn(cursor: number): void;
  /** Tries at once instead of waiting. */
  nudge(): void;
  /** A shell has been started again: looks at it from its beginning. */
  restart(): void;
  close(): void;
}

const FIRST_DELAY_MS = 100;
/** The promise is to be back within a second of the server being there. */
const MAX_DELAY_MS = 900;
/** Keys typed while the link is away; more than a burst is no longer what somebody wants to happen later. */
const MAX_HELD_CHARS = 256;

export function createPtyLink(ports: PtyLinkPorts): PtyLink {
  let socket: WebSocket | null = null;
  let attach = DETACHED;
  let attempt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  let hasLost = false;
  /** Counts attempts, so that one that waits for its proof notices a later one. */
  let connecting = 0;
  /** The server has said where this socket begins. */
  let hasArrived = false;
  let held = '';
  /** The shell is over: nobody is there to come back to. */
  let hasEnded = false;

  async function connect(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    connecting += 1;
    const turn = connecting;
    const protocols = await pageSession.socketProtocols(hasLost);
    // Closed, or begun again meanwhile.
    if (isClosed || turn !== connecting) return;
    if (protocols === null) {
      comeBack();
      return;
    }
    const fresh = new WebSocket(urlOf(ports.terminalKey, attach.cursor), protocols);
    fresh.binaryType = 'arraybuffer';
    socket = fresh;
    hasArrived = false;
    fresh.onmessage = (message: MessageEvent<string | ArrayBuffer>) => {
      if (socket !== fresh) return;
      const { data } = message;
      perform(typeof data === 'string' ? takeFrame(attach, JSON.parse(data)) : takeBytes(attach, data));
    };
    fresh.onclose = () => {
      if (socket !== fresh) return;
      socket = null;
      if (!isClosed && !hasEnded) comeBack();
    };
  }

  function comeBack(): void {
    hasLost = true;
    ports.onState('lost');
    timer ??= setTimeout(() => void connect(), Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt));
    attempt += 1;
  }

  function perform({ attach: next, steps }: Attached): void {
    attach = next;
    for (const step of steps) {
      if (step.act === 'reattach') socket?.close();
      else {
        if (step.act === 'reset' || step.act === 'resize') arrived();
        if (step.act === 'tell' && step.frame.type === 'exit') hasEnded = true;
        ports.onStep(step);
      }
    }
  }

  function arrived(): void {
    if (hasArrived) return;
    hasArrived = true;
    attempt = 0;
    ports.onState('open');
    if (held !== '') say({ type: 'input', data: held });
    held = '';
  }

  function say(frame: PtyClientFrame): void {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
    else if (frame.type === 'input' && held.length + frame.data.length <= MAX_HELD_CHARS) held += frame.data;
  }

  ports.onState('connecting');
  void connect();
  return {
    say,
    drawn: (cursor) => {
      const drawn = takeDrawn(attach, cursor);
      attach = drawn.attach;
      if (drawn.ack !== null) say({ type: 'ack', cursor: drawn.ack });
    },
    nudge: () => {
      if (socket === null && timer !== undefined) void connect();
    },
    restart: () => {
      hasEnded = false;
      attach = DETACHED;
      const old = socket;
      socket = null;
      void connect();
      old?.close();
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}

function urlOf(id: TerminalKey, cursor: number | null): string {
  const origin = `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}`;
  return `${origin}/ws/pty/${id}${cursor === null ? '' : `?cursor=${cursor}`}`;
}

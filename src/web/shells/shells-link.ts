/** The socket of the panel: the live list and one followed log, back within a second after a cut. */
import type { LogPage, ShellsAsk, ShellsFrame, ShellView } from '../../contract/shellspec.ts';

export interface ShellsLinkPorts {
  readonly onShells: (shells: readonly ShellView[]) => void;
  readonly onLog: (shellId: string, page: LogPage) => void;
  readonly onLost: (isLost: boolean) => void;
  readonly onRefused: (message: string) => void;
  /** Where the followed log goes on after a cut. */
  readonly cursor: () => number | null;
}

export interface ShellsLink {
  /** One log at a time; null: none. */
  follow(shellId: string | null): void;
  input(shellId: string, data: string): void;
  close(): void;
}

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 900;

export function createShellsLink(ports: ShellsLinkPorts): ShellsLink {
  let socket: WebSocket | null = null;
  let followed: string | null = null;
  let attempt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  const say = (ask: ShellsAsk) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(ask));
  };
  const sayFollow = (offset: number | null) => {
    if (followed !== null) say({ type: 'follow', shell_id: followed, ...(offset !== null && { offset }) });
  };

  function connect(): void {
    const fresh = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/fws/logs`);
    socket = fresh;
    fresh.onopen = () => {
      attempt = 0;
      ports.onLost(false);
      sayFollow(ports.cursor());
    };
    fresh.onmessage = (message: MessageEvent<string>) => {
      const frame: ShellsFrame = JSON.parse(message.data);
      if (frame.type === 'shells') ports.onShells(frame.shells);
      else if (frame.type === 'log') ports.onLog(frame.shell_id, frame);
      else ports.onRefused(frame.message);
    };
    fresh.onclose = () => {
      if (isClosed) return;
      ports.onLost(true);
      timer = setTimeout(connect, Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt));
      attempt += 1;
    };
  }

  connect();
  return {
    follow(shellId) {
      if (followed !== null && followed !== shellId) say({ type: 'unfollow', shell_id: followed });
      followed = shellId;
      sayFollow(null);
    },
    input: (shellId, data) => say({ type: 'input', shell_id: shellId, data }),
    close() {
      isClosed = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}

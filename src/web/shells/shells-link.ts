/** The socket of the panel: the live list and one followed log, back within a second after a cut. */
import type { LogPage, ShellsAsk, ShellsFrame, ShellView } from '../../contract/shellspec.ts';
import { pageSession } from '../state/page-session.ts';
import { openReconnectingSocket } from '../state/reconnecting-socket.ts';

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

export function createShellsLink(ports: ShellsLinkPorts): ShellsLink {
  let followed: string | null = null;

  const say = (ask: ShellsAsk) => socket.send(ask);
  const sayFollow = (offset: number | null) => {
    if (followed !== null) say({ type: 'follow', shell_id: followed, ...(offset !== null && { offset }) });
  };

  const socket = openReconnectingSocket({
    path: () => '/fws/logs',
    protocols: pageSession.socketProtocols,
    onOpen() {
      ports.onLost(false);
      sayFollow(ports.cursor());
    },
    onText(text) {
      const frame: ShellsFrame = JSON.parse(text);
      if (frame.type === 'shells') ports.onShells(frame.shells);
      else if (frame.type === 'log') ports.onLog(frame.shell_id, frame);
      else ports.onRefused(frame.message);
    },
    onLost: () => ports.onLost(true),
  });
  return {
    follow(shellId) {
      if (followed !== null && followed !== shellId) say({ type: 'unfollow', shell_id: followed });
      followed = shellId;
      sayFollow(null);
    },
    input: (shellId, data) => say({ type: 'input', shell_id: shellId, data }),
    close: socket.close,
  };
}

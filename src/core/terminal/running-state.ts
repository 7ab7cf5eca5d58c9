/** The state of a running terminal as clients get it: without what only the server and the pty host need. Pure. */
import type { HostTerminal } from '../../contract/pty-host.ts';
import type { TerminalState } from '../../contract/terminal.ts';

export function runningStateOf({ key: _key, pid: _pid, ...facts }: HostTerminal): TerminalState {
  return { ...facts, is_running: true };
}

/** The lamp and the words for the state of a shell. */
import type { ShellView } from '../../contract/shellspec.ts';
import { EN_SHELLS } from '../strings/en-shells.ts';
import type { LampState } from '../ui/Lamp.tsx';

const LAMPS: Readonly<Record<ShellView['state'], LampState>> = {
  starting: 'running',
  running: 'success',
  stopping: 'running',
  waiting: 'warning',
  stopped: 'off',
  exited: 'off',
  failed: 'error',
  gone: 'error',
};

export const lampOf = (shell: ShellView): LampState => (shell.health === 'unhealthy' ? 'warning' : LAMPS[shell.state]);

export function stateWords(shell: ShellView): string {
  const words = [EN_SHELLS.states[shell.state]];
  if (shell.health === 'unhealthy') words.push(EN_SHELLS.unhealthy);
  if (shell.health === 'healthy') words.push(EN_SHELLS.healthy);
  if (shell.pid === null && shell.exit !== null) words.push(shell.exit.reason);
  return words.join(' · ');
}

export function usageWords({ usage }: ShellView): string {
  return usage === null ? '' : `${EN_SHELLS.cpu(usage.cpu_percent)} · ${EN_SHELLS.memory(usage.memory_bytes)}`;
}

export const isOver = (shell: ShellView): boolean => ['stopped', 'exited', 'failed', 'gone'].includes(shell.state);

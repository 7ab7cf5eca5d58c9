/** The lamp and the words for the state of a shell. */
import type { ShellView } from '../../contract/shellspec.ts';
import { en } from '../strings/en.ts';
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
  const words = [en.shells.states[shell.state]];
  if (shell.health === 'unhealthy') words.push(en.shells.unhealthy);
  if (shell.health === 'healthy') words.push(en.shells.healthy);
  if (shell.pid === null && shell.exit !== null) words.push(shell.exit.reason);
  return words.join(' · ');
}

export function usageWords({ usage }: ShellView): string {
  return usage === null ? '' : `${en.shells.cpu(usage.cpu_percent)} · ${en.shells.memory(usage.memory_bytes)}`;
}

export const isOver = (shell: ShellView): boolean => ['stopped', 'exited', 'failed', 'gone'].includes(shell.state);

/** What is shown of a shell: its record and what is true of it now, without the values of its environment. */
import type { ShellRecord, ShellView, Usage } from '../../contract/shellspec.ts';
import { isInfrastructure, titleOf } from '../../core/shells/rows.ts';

interface Now {
  readonly usage: Usage | null;
  readonly logBytes: number;
  readonly isAdopted: boolean;
  readonly health: ShellView['health'];
}

export function viewOf(record: ShellRecord, now: Now): ShellView {
  const { spec } = record;
  const isRunning = record.state === 'running';
  return {
    id: record.id,
    ref: record.ref,
    title: titleOf(record.ref, spec.ui.title),
    description: spec.ui.description ?? null,
    backend: spec.backend,
    state: record.state,
    health: now.health,
    pid: record.pid,
    cwd: spec.cwd,
    command: spec.command,
    env_names: Object.keys(spec.env),
    labels: spec.labels,
    subgroups: spec.subgroups,
    restart: spec.restart.policy,
    restarts: record.restarts,
    is_infrastructure: isInfrastructure(spec.labels),
    is_adopted: isRunning && now.isAdopted,
    takes_input: isRunning && spec.backend !== 'proc' && !isInfrastructure(spec.labels),
    started_at: record.started_at,
    exit: record.exit,
    usage: now.usage,
    log_bytes: now.logBytes,
    socket: spec.backend === 'dtach' && isRunning ? record.socket : null,
  };
}

/** Words of the cards of sub-agents. Loaded with the cards. */
import { plural } from './plural.ts';

export const EN_AGENTS = {
  title: 'Sub-agent',
  named: (name: string) => `Sub-agent ${name}`,
  states: {
    started: 'started',
    running: 'working',
    completed: 'done',
    failed: 'failed',
    declined: 'refused',
    interrupted: 'stopped',
  },
  task: 'Task',
  sealed: 'Codex has encrypted the words of this task: only the model can read them.',
  waits: 'waits for you',
  now: 'Now',
  result: 'Result',
  noResult: 'It ended without an answer.',
  stopped: 'It was stopped before it had an answer.',
  failed: 'What went wrong',
  did: (commands: number, changes: number, others: number) =>
    [
      commands > 0 && plural(commands, 'command', 'commands'),
      changes > 0 && plural(changes, 'change', 'changes'),
      others > 0 && plural(others, 'other step', 'other steps'),
    ]
      .filter((one) => one !== false)
      .join(', '),
  kinds: { command: 'Command', change: 'Changed', tool: 'Tool' },
  earlier: (count: number) => `${plural(count, 'earlier step is', 'earlier steps are')} in its thread`,
  exit: (code: number) => `exit ${code}`,
  open: 'Open its thread',
  readOnly: 'You can read this thread here. Only the agent that started the sub-agent gives it tasks.',
  more: 'Earlier turns are not shown.',
  empty: 'Codex keeps nothing of what it did: a turn that was stopped early leaves no history.',
  unreadable: (why: string) => `The thread cannot be read: ${why}`,
} as const;

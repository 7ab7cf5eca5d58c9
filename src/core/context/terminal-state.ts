/** Where the person's terminal stands: told once, then only what changed. */
import { TerminalValues } from '../../contract/context.ts';
import { headBytes } from '../text/bytes.ts';
import { cleanForModel } from '../text/hidden.ts';
import { DATA_NOTE } from '../text/render-untrusted.ts';
import { inertJson, type TurnFragmentSpec } from './fragment.ts';

const MAX_BYTES = 3_000;
/** Of one value: the longest path a system takes is longer, and no use to a model. */
const MAX_FIELD_BYTES = 400;

export const TERMINAL: TurnFragmentSpec<TerminalValues, TerminalValues> = {
  name: 'terminal',
  key: 'terminal_state',
  role: 'contextual-user',
  maxBytes: MAX_BYTES,
  order: 1,
  render: (changed) => inertJson({ v: 1, type: 'terminal_state', note: DATA_NOTE, ...changed }),
  fromTurn: ({ cwd, shell, last_exit_code, git_branch }) => ({
    cwd: short(cwd),
    shell: short(shell),
    last_exit_code,
    git_branch: short(git_branch),
  }),
  rebuild: (stored) => TerminalValues.safeParse(stored).data ?? null,
  diff(before, now) {
    const changed: Partial<TerminalValues> = {
      ...(before?.cwd !== now.cwd && { cwd: now.cwd }),
      ...(before?.shell !== now.shell && { shell: now.shell }),
      ...(before?.last_exit_code !== now.last_exit_code && { last_exit_code: now.last_exit_code }),
      ...(before?.git_branch !== now.git_branch && { git_branch: now.git_branch }),
    };
    return Object.keys(changed).length === 0 ? null : changed;
  },
};

const short = (text: string | null): string | null =>
  text === null ? null : headBytes(cleanForModel(text), MAX_FIELD_BYTES);

/** Whether a command in the sandbox of a conversation reaches the network. Pure. */
import type { Sandbox } from '../../contract/conversation.ts';
import type { AppliedSettings } from '../codex/signal.ts';

/**
 * `applied`: what Codex said about the loaded thread, which a changed `config.toml` does not change; null if the thread is not loaded.
 * `isAllowed`: `network_access` of the user's configuration now; null if Codex does not say. Null: nobody knows.
 */
export function networkOf(
  sandbox: Sandbox,
  applied: AppliedSettings | null,
  isAllowed: boolean | null,
): boolean | null {
  switch (sandbox) {
    case 'read-only':
      return false;
    case 'danger-full-access':
      return true;
    case 'workspace-write':
      return (applied?.sandboxType === 'workspaceWrite' ? applied.networkAccess : null) ?? isAllowed;
    default:
      return sandbox satisfies never;
  }
}

/** Ties what runs on the machine to the conversations: whose commands they are, who is told, and what is never ended. */
import type { ConversationId } from '../../contract/ids.ts';
import type { CodexOperations } from '../../core/codex/operations.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import type { CodexControl } from '../codex/codex-control.ts';
import { readCodexRecord } from '../codex/launch.ts';
import type { Conversation } from '../conversations/conversation.ts';
import type { LifecycleBus } from '../conversations/lifecycle-bus.ts';
import type { Registry } from '../conversations/registry.ts';
import type { Transcripts } from '../conversations/transcripts.ts';
import type { Hub } from '../hub/hub.ts';
import { createRunning, type Running, type RunningConversation } from '../running/running.ts';
import { createProcessScan } from '../running/scan-processes.ts';
import type { SharedTerminals } from '../terminal/create-terminals.ts';

interface RunningOptions {
  readonly registry: Registry;
  readonly transcripts: Transcripts;
  readonly terminals: SharedTerminals;
  readonly link: Pick<CodexControl, 'status'>;
  readonly codex: CodexOperations;
  readonly lifecycle: LifecycleBus;
  readonly hub: Hub;
  readonly runDir: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Looked through for the text of a command that has ended. */
const RECENT_ENTRIES = 500;

export function composeRunning(options: RunningOptions): Running {
  const { registry, terminals, link, hub, lifecycle } = options;
  const running = createRunning({
    ...options,
    scan: createProcessScan(),
    own: () =>
      [process.pid, link.status().pid, readCodexRecord(options.runDir)?.pid, terminals.hostPid()].filter(
        (pid) => typeof pid === 'number',
      ),
    terminals: terminals.shellPids,
    ownerOf: registry.ownerOf,
    conversations: () => registry.loaded().map((one) => one.meta().conversation_id),
    peek(id) {
      const conversation = registry.peek(id);
      return conversation === null ? null : commandsOf(id, conversation, options.transcripts);
    },
    publish(id, list) {
      const after = registry.peek(id)?.session.publishedSeq();
      // Whoever follows a conversation has it loaded.
      if (after !== undefined) hub.publish(id, { type: 'running', conversation_id: id, after, running: list });
    },
  });
  lifecycle.subscribe((_id, event) => {
    if (event.type === 'turn_ended' || event.type === 'opened') running.refresh();
  });
  return running;
}

function commandsOf(
  id: ConversationId,
  { session, meta }: Conversation,
  transcripts: Transcripts,
): RunningConversation {
  return {
    threadId: meta().thread_id,
    openCommands: () =>
      Object.values(session.state().open).flatMap(({ live }) =>
        live.role === 'command' && !live.user_shell
          ? [{ itemId: live.item_id, turnId: live.turn_id, command: live.command }]
          : [],
      ),
    hasItem: (itemId) => session.state().recorded.some((key) => key.endsWith(`/${itemId}`)),
    runningTurns() {
      const { turn } = session.state();
      return turn === null ? [] : [turn.id, ...turn.nested];
    },
    markEnding: (itemIds, by) => session.accept({ type: 'commands.ending', itemIds, by }),
    async endedCommand(itemId) {
      const entries = (await (await transcripts.open(id))?.lastEntries(RECENT_ENTRIES)) ?? [];
      const entry = entries.findLast((one) => one.role === 'command' && one.item_id === itemId);
      return entry?.role === 'command' ? entry.command : null;
    },
    warn: (text) => void session.append({ role: 'warning', text, code: 'not_ended' }),
  };
}

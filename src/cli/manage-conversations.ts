/** `conversations rename|stop|archive|restore|delete|recover`: one call to the server, and a sentence about what it did. */
import type { ConversationId } from '../contract/ids.ts';
import type { Result } from '../contract/result.ts';
import type { Client } from './client.ts';
import type { Output } from './output.ts';
import { pickConversation } from './pick-conversation.ts';

/** `perform` answers with the value that `--json` prints and the sentence that people read. */
async function manage<T>(
  out: Output,
  client: Client,
  words: string,
  perform: (id: ConversationId) => Promise<Result<T>>,
  describe: (id: ConversationId, value: T) => string,
): Promise<number> {
  const id = await pickConversation(client, words);
  if (!id.ok) return out.fail(id.error);
  const answer = await perform(id.value);
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json(answer.value);
  else out.say(describe(id.value, answer.value));
  return 0;
}

export function renameConversation(out: Output, client: Client, words: string, label: string): Promise<number> {
  return manage(
    out,
    client,
    words,
    (id) => client.call('patchConversation', { id, label: label.trim() === '' ? null : label }),
    (id, { conversation }) =>
      conversation.label === null ? `${id} has no label any more` : `${id} is now called ${conversation.label}`,
  );
}

export function stopTurn(out: Output, client: Client, words: string): Promise<number> {
  return manage(
    out,
    client,
    words,
    (id) => client.call('interrupt', { conversation_id: id }),
    (id, { interrupted }) => (interrupted ? `stopped the turn of ${id}` : `nothing runs in ${id}`),
  );
}

export function archiveConversation(out: Output, client: Client, words: string): Promise<number> {
  return manage(
    out,
    client,
    words,
    (id) => client.call('archiveConversation', { id }),
    (id) => `archived ${id}; \`signalbox conversations restore ${id}\` takes it out again`,
  );
}

export function deleteConversation(out: Output, client: Client, words: string): Promise<number> {
  return manage(
    out,
    client,
    words,
    async (id) => {
      const answer = await client.call('deleteConversation', { id });
      return answer.ok ? { ok: true, value: { ...answer.value, id } } : answer;
    },
    (id, { ended_commands: ended }) =>
      `deleted ${id}${ended === 0 ? '' : ` and ended what ran for it (${ended})`}; \`signalbox conversations restore ${id}\` brings it back within a day`,
  );
}

/** From the trash, or else from the archive. A deleted conversation is named by its id. */
export function restoreConversation(out: Output, client: Client, words: string): Promise<number> {
  return manage(
    out,
    client,
    words,
    async (id) => {
      const restored = await client.call('restoreConversation', { id });
      if (restored.ok || restored.error.code !== 'unknown_conversation') return restored;
      return client.call('unarchiveConversation', { id });
    },
    (id) => `restored ${id}`,
  );
}

export function recoverConversation(out: Output, client: Client, words: string): Promise<number> {
  return manage(
    out,
    client,
    words,
    (id) => client.call('recoverConversation', { id }),
    (id, { conversation }) =>
      `${id} goes on in the new thread ${conversation.thread_id}; the model was given a short history`,
  );
}

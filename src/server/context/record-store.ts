/** `context/<client_message_id>.json` of a conversation: exactly what went with each message. */
import { join } from 'node:path';
import { ContextRecord } from '../../contract/context.ts';
import { ClientMessageId, ConversationId } from '../../contract/ids.ts';
import { ensurePrivateDir, errorCode, writeFileAtomic } from '../../node/atomic-file.ts';
import type { Logger } from '../../node/logger.ts';
import { readJson } from '../../node/read-json.ts';

export interface RecordStore {
  read(id: ConversationId, clientMessageId: string): Promise<ContextRecord | null>;
  /** False when the disk would not take it. */
  write(id: ConversationId, record: ContextRecord): Promise<boolean>;
}

export function createRecordStore(home: string, log: Logger): RecordStore {
  const dirOf = (id: ConversationId) => join(home, 'conversations', ConversationId.parse(id), 'context');
  const pathOf = (id: ConversationId, messageId: string) => join(dirOf(id), `${ClientMessageId.parse(messageId)}.json`);
  return {
    read: async (id, clientMessageId) => readJson(pathOf(id, clientMessageId), ContextRecord),
    async write(id, record) {
      try {
        await ensurePrivateDir(dirOf(id));
        await writeFileAtomic(pathOf(id, record.client_message_id), `${JSON.stringify(record)}\n`);
        return true;
      } catch (error) {
        log.warn({ id, code: errorCode(error) }, 'a message goes without its context');
        return false;
      }
    },
  };
}

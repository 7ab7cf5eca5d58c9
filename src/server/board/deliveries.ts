/** Brings a post to the conversations it concerns, in order and, over crashes, at least once: `board/delivered.json` says how far it got. */
import { join } from 'node:path';
import { type BoardMessage, DeliveredFile } from '../../contract/board.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { writeFileAtomic } from '../../node/atomic-file.ts';
import type { Logger } from '../../node/logger.ts';
import { readJson } from '../../node/read-json.ts';
import { createSerial } from '../../node/serial.ts';

interface Delivery {
  readonly conversationId: ConversationId;
  readonly message: BoardMessage;
  /** False: shown in the conversation and told to nobody, since it waits for this very message. */
  readonly wakes: boolean;
  /** It may have been delivered before a crash: look before doing it again. */
  readonly isRepeat: boolean;
}

/** Must not fail for a reason that another try would not mend. */
export type Deliver = (delivery: Delivery) => Promise<void>;

export interface Deliveries {
  /** Holders: conversations that get the message as an answer to their waiting. */
  add(message: BoardMessage, holders: ReadonlySet<string>): void;
  /** What was not known to be delivered when we last stopped. */
  undelivered(lastNum: number): { readonly after: number; readonly before: number };
  repeat(message: BoardMessage): void;
  /** Everything up to here needs no further look at the next start. */
  settle(num: number): Promise<void>;
  drain(): Promise<void>;
  /** Up to here all have been brought. */
  reached(): number;
  /** What is not delivered by now is brought at the next start, whatever becomes of it here. */
  stop(): void;
}

export async function openDeliveries(options: {
  readonly dir: string;
  readonly deliver: Deliver;
  readonly log: Logger;
}): Promise<Deliveries> {
  const path = join(options.dir, 'delivered.json');
  const known = await load(path);
  const delivering = createSerial();
  let saved = known ?? 0;
  let reached = saved;
  let isStopped = false;

  const deliverAll = async (message: BoardMessage, holders: ReadonlySet<string>, isRepeat: boolean) => {
    for (const conversationId of message.for) {
      if (!conversationId.startsWith('conv_')) continue;
      const wakes = !holders.has(conversationId);
      await options.deliver({ conversationId, message, wakes, isRepeat }).catch((error: unknown) => {
        options.log.warn({ error, num: message.num, conversationId }, 'a post was not delivered');
      });
    }
  };

  const save = async () => {
    if (reached <= saved || isStopped) return;
    const num = reached;
    await writeFileAtomic(path, `${JSON.stringify({ num })}\n`);
    saved = num;
  };

  const enqueue = (message: BoardMessage, holders: ReadonlySet<string>, isRepeat: boolean) => {
    delivering
      .run(async () => {
        if (message.for.length > 0) await deliverAll(message, holders, isRepeat);
        reached = Math.max(reached, message.num);
        // Posts that concern nobody need no note of their own: the next that does takes them along.
        if (message.for.length > 0) await save();
      })
      .catch((error: unknown) => options.log.warn({ error }, 'board/delivered.json was not written'));
  };

  return {
    add: (message, holders) => enqueue(message, holders, false),
    repeat: (message) => enqueue(message, new Set(), true),
    undelivered: (lastNum) => ({ after: known ?? 0, before: lastNum + 1 }),
    async settle(num) {
      await delivering.idle();
      reached = Math.max(reached, num);
      await save().catch(() => undefined);
    },
    drain: delivering.idle,
    reached: () => reached,
    stop() {
      isStopped = true;
    },
  };
}

async function load(path: string): Promise<number | null> {
  return (await readJson(path, DeliveredFile))?.num ?? null;
}

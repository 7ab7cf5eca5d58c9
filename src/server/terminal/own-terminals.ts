/** Which further terminals each conversation has: a small file beside its other ones, read each time it is asked for. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversationId } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { MAX_TERMINALS, OwnTerminals } from '../../contract/terminal.ts';
import { SHARED_TERMINAL } from '../../core/terminal/terminal-key.ts';
import { errorCode, writeFileAtomic } from '../../node/atomic-file.ts';
import { readJson } from '../../node/read-json.ts';
import { createKeyedSerial } from '../../node/serial.ts';

const NUMBERS = Array.from({ length: MAX_TERMINALS - 1 }, (_none, at) => SHARED_TERMINAL + 1 + at);

export interface OwnTerminalList {
  /** Their numbers, sorted. */
  read(id: ConversationId): Promise<readonly number[]>;
  /** The lowest number that is free. */
  add(id: ConversationId): Promise<Result<number>>;
  /** With everything that is stored of it. */
  remove(id: ConversationId, number: number): Promise<Result<null>>;
  /** Where journal and blocks of one lie. */
  dirOf(id: ConversationId, number: number): string;
}

/** `folderOf`: `conversations/<id>`. */
export function createOwnTerminals(folderOf: (id: ConversationId) => string): OwnTerminalList {
  const { run } = createKeyedSerial<ConversationId>();
  const pathOf = (id: ConversationId) => join(folderOf(id), 'own_terminals.json');
  const dirOf = (id: ConversationId, number: number) => join(folderOf(id), 'own_pty', String(number));
  const read = async (id: ConversationId) => (await readJson(pathOf(id), OwnTerminals))?.numbers ?? [];

  /** Null if that worked. */
  const write = async (id: ConversationId, numbers: readonly number[]): Promise<Result<never> | null> => {
    try {
      await writeFileAtomic(pathOf(id), `${JSON.stringify({ numbers: numbers.toSorted((a, b) => a - b) })}\n`);
      return null;
    } catch (error) {
      return fail(
        'storage_full',
        `the list of terminals could not be written (${errorCode(error)}): nothing was changed`,
      );
    }
  };

  return {
    read,
    dirOf,
    add: (id) =>
      run(id, async () => {
        const numbers = await read(id);
        const number = NUMBERS.find((one) => !numbers.includes(one));
        if (number === undefined) return fail('conflict', `a conversation has at most ${MAX_TERMINALS} terminals`);
        return (await write(id, [...numbers, number])) ?? ok(number);
      }),
    remove: (id, number) =>
      run(id, async () => {
        const left = (await read(id)).filter((one) => one !== number);
        const failed = await write(id, left);
        if (failed === null) await rm(dirOf(id, number), { recursive: true, force: true });
        return failed ?? ok(null);
      }),
  };
}

/** `trust.json`: the only code that reads and writes what people decided about project configurations. */
import { join } from 'node:path';
import { ok, type Result } from '../../contract/result.ts';
import { type TrustDecision, TrustFile } from '../../contract/trust.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import type { Seals } from '../../node/seals.ts';
import { createSerial } from '../../node/serial.ts';
import { storageFailure } from '../storage-failure.ts';

export interface TrustStore {
  /** The newest first, one per path. */
  decisions(): readonly TrustDecision[];
  add(decisions: readonly TrustDecision[]): Promise<Result<null>>;
  /** Removes every decision about the paths. */
  remove(paths: readonly string[]): Promise<Result<null>>;
}

const FILE = 'trust.json';

/** A person answers some dozens. The oldest are dropped, which means that they are asked again. */
const MAX_DECISIONS = 1_000;

/** A missing or damaged file, or one that somebody else wrote, means that nothing is trusted. */
export async function openTrustStore(home: string, seals: Seals): Promise<TrustStore> {
  const path = join(home, FILE);
  const serial = createSerial();
  const text = await seals.read(FILE, path);
  const stored = TrustFile.safeParse(text === null ? null : parseJson(text)).data;
  let current: readonly TrustDecision[] = stored?.decisions ?? [];

  const change = (next: (before: readonly TrustDecision[]) => readonly TrustDecision[]) =>
    serial.run(async (): Promise<Result<null>> => {
      const decisions = next(current).slice(0, MAX_DECISIONS);
      try {
        await seals.write(FILE, path, JSON.stringify({ version: 1, decisions }));
      } catch (error) {
        return storageFailure(error, 'the decision was not saved');
      }
      current = decisions;
      return ok(null);
    });

  return {
    decisions: () => current,
    add: (decisions) =>
      change((before) => [
        ...decisions,
        ...before.filter((one) => !decisions.some((other) => other.path === one.path)),
      ]),
    remove: (paths) => change((before) => before.filter((one) => !paths.includes(one.path))),
  };
}

/** Reads the content of files out of git's objects, many with one process. */
import { ok, type Result } from '../../contract/result.ts';
import type { OwnGitDir } from './repository.ts';
import { gitFailure, SNAPSHOT_LIMITS } from './snapshot.ts';

/** Content in memory at once; a single file may be as large as a checkpoint keeps. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;

export interface Blobs {
  contentOf(oid: string): Promise<Buffer>;
}

/** Fails with the objects that are missing, before anything was written. `oids`: everything that will be read, in the order of reading. */
export async function openBlobs(own: OwnGitDir, oids: readonly string[]): Promise<Result<Blobs>> {
  const unique = [...new Set(oids)];
  const checked = await own.run({ args: ['cat-file', '--batch-check'], stdin: Buffer.from(`${unique.join('\n')}\n`) });
  if (checked.kind !== 'ended' || checked.code !== 0) return gitFailure('cat-file', checked);
  const sizes = new Map<string, number>();
  for (const line of checked.stdout.toString().split('\n')) {
    const found = /^([0-9a-f]+) blob (\d+)$/.exec(line);
    if (found !== null) sizes.set(found[1] ?? '', Number(found[2]));
  }
  const missing = unique.filter((oid) => !sizes.has(oid));
  if (missing.length > 0)
    return {
      ok: false,
      error: {
        code: 'not_found',
        message: `the repository no longer has ${missing.length} of the files of this checkpoint`,
        details: { objects: missing.slice(0, 20) },
      },
    };
  let batch = new Map<string, Buffer>();
  const load = async (first: string): Promise<void> => {
    const wanted: string[] = [];
    let bytes = 0;
    for (const oid of unique.slice(unique.indexOf(first))) {
      bytes += sizes.get(oid) ?? 0;
      if (wanted.length > 0 && bytes > MAX_BATCH_BYTES) break;
      wanted.push(oid);
    }
    const maxBytes = Math.max(MAX_BATCH_BYTES, SNAPSHOT_LIMITS.maxFileBytes) * 2;
    const answer = await own.run({
      args: ['cat-file', '--batch'],
      stdin: Buffer.from(`${wanted.join('\n')}\n`),
      maxBytes,
    });
    if (answer.kind !== 'ended' || answer.code !== 0) throw new Error(`git cat-file failed: ${answer.kind}`);
    batch = parseBatch(answer.stdout);
  };
  return ok({
    async contentOf(oid) {
      if (!batch.has(oid)) await load(oid);
      const content = batch.get(oid);
      if (content === undefined) throw new Error(`the object ${oid} is missing`);
      return content;
    },
  });
}

function parseBatch(output: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(10, at);
    const header = /^([0-9a-f]+) blob (\d+)$/.exec(output.subarray(at, end).toString());
    if (header === null) break;
    const size = Number(header[2]);
    found.set(header[1] ?? '', output.subarray(end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  return found;
}

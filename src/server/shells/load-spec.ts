/** A shellspec file → specs. YAML is read where it must be: reading our own would take a fifth of the start of Codex. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../contract/result.ts';
import { type ShellSpec, ShellspecFile } from '../../contract/shellspec.ts';
import type { SpecProblem } from '../../core/shells/render-spec.ts';
import { errorCode } from '../../node/atomic-file.ts';

export interface LoadedSpec {
  readonly file: string;
  /** Of its text. */
  readonly sha256: string;
  readonly shells: ReadonlyMap<string, ShellSpec>;
  /** A failure that points at its place in the file. */
  blame(problem: SpecProblem): Promise<Result<never>>;
}

/** A shellspec is written by people; a larger file is another kind of file. */
const MAX_SPEC_BYTES = 1024 * 1024;
/** Beside the bundled command: what our own files say, by the hash of their text. An edited file is simply not in it. */
const PARSED_FILE = join(import.meta.dirname, 'parsed-specs.json');

export async function loadSpec(file: string): Promise<Result<LoadedSpec>> {
  const text = await readSpec(file);
  return text.ok ? loadText(file, text.value) : text;
}

/** `file` is the name under which what is wrong is told. */
export async function loadText(file: string, text: string): Promise<Result<LoadedSpec>> {
  const sha256 = createHash('sha256').update(text).digest('hex');
  const parse = async () => (await import('./parse-spec.ts')).parseSpec(file, text);
  const known = await findParsed(sha256);
  const parsed = known === null ? await parse() : ok(known);
  if (!parsed.ok) return parsed;
  return ok({
    file,
    sha256,
    shells: new Map(Object.entries(parsed.value.shells)),
    async blame(problem) {
      const whole = await parse();
      return whole.ok ? whole.value.blame(problem) : whole;
    },
  });
}

async function findParsed(sha256: string): Promise<ShellspecFile | null> {
  const all: Record<string, unknown> = await readFile(PARSED_FILE, 'utf8')
    .then(JSON.parse)
    .catch(() => ({}));
  const found = all[sha256];
  return ShellspecFile.safeParse(found).data ?? null;
}

async function readSpec(file: string): Promise<Result<string>> {
  try {
    const stats = await stat(file);
    // Reading a pipe would wait for its writer.
    if (!stats.isFile()) return fail('invalid_request', `${file} is no regular file`, { file });
    return checkSpec(file, stats) ?? ok(await readFile(file, 'utf8'));
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return fail('not_found', `there is no file ${file}`, { file });
    return fail('invalid_request', `${file} cannot be read: ${code}`, { file });
  }
}

/** A shellspec names programs that the server starts, so only its owner may write it. Null: nothing is wrong. */
export function checkSpec(file: string, { size, mode }: { readonly size: number; readonly mode: number }) {
  if ((mode & 0o002) !== 0)
    return fail('invalid_request', `${file} can be changed by every user of this machine: chmod o-w it`, { file });
  if (size > MAX_SPEC_BYTES)
    return fail('too_large', `${file} has more than ${MAX_SPEC_BYTES} bytes: not a shellspec`, { file });
  return null;
}

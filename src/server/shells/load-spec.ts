/** A shellspec file → specs. What is wrong is told by file, line and column, with what to do. */
import { readFile, stat } from 'node:fs/promises';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { fail, ok, type Result } from '../../contract/result.ts';
import { type ShellSpec, ShellspecFile } from '../../contract/shellspec.ts';
import type { SpecProblem } from '../../core/shells/render-spec.ts';
import { errorCode } from '../../node/atomic-file.ts';

export interface LoadedSpec {
  readonly file: string;
  readonly shells: ReadonlyMap<string, ShellSpec>;
  /** A failure that points at its place in the file. */
  blame(problem: SpecProblem): Result<never>;
}

/** A shellspec is written by people; a larger file is another kind of file. */
const MAX_SPEC_BYTES = 1024 * 1024;
/** `&anchor` may be used again, but not to make a small file huge. */
const MAX_ALIASES = 100;

export async function loadSpec(file: string): Promise<Result<LoadedSpec>> {
  const text = await readSpec(file);
  if (!text.ok) return text;
  const lines = new LineCounter();
  const document = parseDocument(text.value, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const at = (offset: number, message: string): Result<never> => {
    const { line, col } = lines.linePos(offset);
    return fail('invalid_request', `${file}:${line}:${col}: ${message}`, { file, line, column: col });
  };
  const [error] = document.errors;
  if (error !== undefined) return at(error.pos[0], `not YAML: ${firstLine(error.message)}`);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    return at(0, `not usable: ${firstLine(cause instanceof Error ? cause.message : String(cause))}`);
  }
  const checked = ShellspecFile.safeParse(value);
  if (!checked.success) {
    const { path, message } = worstIssue(checked.error.issues);
    return at(offsetOf(document, path), path.length === 0 ? message : `${path.join('.')}: ${message}`);
  }
  const shells = new Map(Object.entries(checked.data.shells));
  return ok({
    file,
    shells,
    blame: ({ path, message }) => at(offsetOf(document, path), `${path.join('.')}: ${message}`),
  });
}

async function readSpec(file: string): Promise<Result<string>> {
  try {
    const { size, mode } = await stat(file);
    // It names programs that we start.
    if ((mode & 0o002) !== 0)
      return fail('invalid_request', `${file} can be changed by every user of this machine: chmod o-w it`, { file });
    if (size > MAX_SPEC_BYTES)
      return fail('too_large', `${file} has more than ${MAX_SPEC_BYTES} bytes: not a shellspec`, { file });
    return ok(await readFile(file, 'utf8'));
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return fail('not_found', `there is no file ${file}`, { file });
    return fail('invalid_request', `${file} cannot be read: ${code}`, { file });
  }
}

type Path = readonly (string | number)[];
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string;
  readonly keys?: readonly string[];
}

function worstIssue(issues: readonly Issue[]): { readonly path: Path; readonly message: string } {
  const [issue] = issues;
  const path = (issue?.path ?? []).map((part) => (typeof part === 'number' ? part : String(part)));
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys?.[0] : undefined;
  if (unknown !== undefined) return { path: [...path, unknown], message: 'there is no such key in a shellspec' };
  return { path, message: (issue?.message ?? 'not as expected').replace(/^Invalid (input|option): /, '') };
}

/** Where a key's value is; where it is missing, what it is missing from. */
function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

/** The text of a shellspec file → specs. What is wrong is told by file, line and column, with what to do. */
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { fail, ok, type Result } from '../../contract/result.ts';
import { ShellspecFile } from '../../contract/shellspec.ts';
import type { SpecProblem } from '../../core/shells/render-spec.ts';

interface ParsedSpec {
  readonly shells: ShellspecFile['shells'];
  blame(problem: SpecProblem): Result<never>;
}

/** `&anchor` may be used again, but not to make a small file huge. */
const MAX_ALIASES = 100;

export function parseSpec(file: string, text: string): Result<ParsedSpec> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
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
  return ok({
    shells: checked.data.shells,
    blame: ({ path, message }) => at(offsetOf(document, path), `${path.join('.')}: ${message}`),
  });
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

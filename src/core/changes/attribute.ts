/** Which changes of a turn may be those of another conversation that worked in the same work tree at the same time. */
import type { ConversationId } from '../../contract/ids.ts';

/** A turn from its first snapshot to its last; `endMs` is null while it runs. */
export interface Span {
  readonly conversationId: ConversationId;
  readonly root: string;
  readonly startMs: number;
  readonly endMs: number | null;
}

/** Both saw the work tree between their two snapshots at some moment. */
export function doOverlap(one: Span, other: Span): boolean {
  if (one.conversationId === other.conversationId || one.root !== other.root) return false;
  return (other.endMs === null || one.startMs < other.endMs) && (one.endMs === null || other.startMs < one.endMs);
}

/** `others`: turns that overlap, with the paths they changed. */
export function alsoChangedBy(
  path: string,
  others: readonly { readonly conversationId: ConversationId; readonly paths: ReadonlySet<string> }[],
): ConversationId[] {
  return [...new Set(others.filter(({ paths }) => paths.has(path)).map(({ conversationId }) => conversationId))].sort();
}

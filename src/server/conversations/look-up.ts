/** Looks for messages and injections in what Codex has kept: its list of turns, then the thread's own file. */
import type { ConversationMeta } from '../../contract/conversation.ts';
import type { TurnRecord } from '../../core/codex/signal.ts';
import { deliveryIdOf } from '../../core/context/in-flight.ts';
import type { Found } from '../../core/outbox/state.ts';
import { fileHolds } from '../../node/file-holds.ts';
import type { CodexPort } from './ports.ts';

export interface Wanted {
  readonly id: string;
  readonly kind: 'message' | 'injection';
  readonly text: string;
  /** The turn it began; null for a steer, whose turn had items before it, and for a message whose turn is unknown. */
  readonly turnId: string | null;
  /** Events went along, under the delivery id of the message. */
  readonly hasEvents: boolean;
  /** It cannot be older than this. */
  readonly sinceMs: number;
}

/** `isCodexRunning` false: Codex did not answer because it is not there. */
type LookedUp =
  | { readonly ok: true; readonly found: readonly Found[]; readonly contextOf: readonly string[] }
  | { readonly ok: false; readonly isCodexRunning: boolean };

interface LookUpOptions {
  readonly codex: CodexPort;
  readonly meta: () => ConversationMeta;
  /** Turns of which the transcript has more than their beginning: their message reached the model. */
  readonly hasItemsOf: (turnId: string) => boolean;
}

/** The newest turns: what is looked for was given last. */
const TURNS = 20;
/** The clock of the file and ours are the same; its times have milliseconds. */
const SLACK_MS = 5;

export async function lookUp(wanted: readonly Wanted[], options: LookUpOptions): Promise<LookedUp> {
  const { thread_id: threadId, rollout_path: path } = options.meta();
  // A thread that was never started has kept nothing.
  if (threadId === null) return { ok: true, found: [], contextOf: [] };
  const messages = wanted.filter((one) => one.kind === 'message');
  const listed = messages.length === 0 ? [] : await listedTurns(options.codex, threadId);
  if (!Array.isArray(listed)) return listed;
  const found: Found[] = messages.flatMap(
    (one) => foundIn(listed, one.id) ?? bySeenItems(one, options.hasItemsOf) ?? [],
  );
  if (path === null) return { ok: true, found, contextOf: [] };
  if (found.length < messages.length) {
    const more = await foundInFile(options.codex, path, messages, found);
    // Somebody has to look at that file: until then nobody knows.
    if (more === null) return { ok: false, isCodexRunning: true };
    found.push(...more);
  }
  for (const { id, kind } of wanted)
    if (kind === 'injection' && (await fileHolds(path, id))) found.push({ id, turnId: null, itemId: null });
  const contextOf: string[] = [];
  for (const { id, hasEvents } of messages)
    if (hasEvents && !found.some((one) => one.id === id) && (await fileHolds(path, deliveryIdOf(id))))
      contextOf.push(id);
  return { ok: true, found, contextOf };
}

async function listedTurns(
  codex: CodexPort,
  threadId: string,
): Promise<TurnRecord[] | Extract<LookedUp, { ok: false }>> {
  const page = await codex.listTurns(threadId, { limit: TURNS, cursor: null });
  if (page.ok) return [...page.value.turns];
  const { code } = page.error;
  if (code === 'codex_unavailable' || code === 'codex_timeout')
    return { ok: false, isCodexRunning: code === 'codex_timeout' };
  // It knows no such thread, or cannot list turns: then the file alone tells.
  return [];
}

function foundIn(turns: readonly TurnRecord[], id: string): Found | null {
  for (const { turnId, items } of turns)
    for (const item of items) if (item.kind === 'user' && item.clientId === id) return { id, turnId, itemId: item.id };
  return null;
}

function bySeenItems({ id, turnId }: Wanted, hasItemsOf: (turnId: string) => boolean): Found | null {
  return turnId !== null && hasItemsOf(turnId) ? { id, turnId, itemId: null } : null;
}

/** By words and time: the file names no id. Each message of the file stands for one of ours, those already found included. */
async function foundInFile(
  codex: CodexPort,
  path: string,
  messages: readonly Wanted[],
  found: readonly Found[],
): Promise<Found[] | null> {
  const sinceMs = Math.min(...messages.map((one) => one.sinceMs)) - SLACK_MS;
  const read = await codex.readKeptMessages(path, sinceMs);
  if (read === null) return null;
  const kept = [...read];
  return messages.flatMap(({ id, text, turnId, sinceMs: since }) => {
    const at = kept.findIndex((one) => one.text === text && one.atMs >= since - SLACK_MS);
    if (at < 0) return [];
    kept.splice(at, 1);
    return found.some((one) => one.id === id) ? [] : [{ id, turnId, itemId: null }];
  });
}

/** One line of a thread's file (its rollout) → the user message it holds, or who began a turn. Everything else in that file is asked of Codex itself. */
import { stripSentinel } from '../context/carriers.ts';
import { isRecord } from '../text/is-record.ts';
import { parseIsoTime } from '../text/iso-time.ts';
import { parseJson } from '../text/parse-json.ts';
import type { KeptMessage } from './operations.ts';

/** Null for lines of any other kind, and for one that was cut off by a kill. */
export function userMessageOf(line: string): KeptMessage | null {
  // Most lines are something else; parsing costs more than looking.
  if (!line.includes('"response_item"') || !line.includes('"user"')) return null;
  const parsed = parseJson(line);
  if (!isRecord(parsed) || parsed.type !== 'response_item' || !isRecord(parsed.payload)) return null;
  const { type, role, content } = parsed.payload;
  const atMs = typeof parsed.timestamp === 'string' ? parseIsoTime(parsed.timestamp) : null;
  if (type !== 'message' || role !== 'user' || !Array.isArray(content) || atMs === null) return null;
  const texts = content.flatMap((part) => (isRecord(part) && typeof part.text === 'string' ? [part.text] : []));
  return { text: texts.map((one, at) => (at === 0 ? stripSentinel(one) : one)).join('\n'), atMs };
}

const ROLLOUT_NAME =
  /(?:^|[/\\])rollout-[^/\\]*-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/i;

/** The thread that Codex keeps in a file of this name; null for any other name. */
export function threadIdOfRollout(path: string): string | null {
  return ROLLOUT_NAME.exec(path)?.[1]?.toLowerCase() ?? null;
}

/** The id of a turn and who began it; null for lines of any other kind, and where Codex notes nothing. */
export function turnTriggerOf(line: string): (readonly [turnId: string, trigger: string])[] | null {
  if (!line.includes('"task_started"')) return null;
  const parsed = parseJson(line);
  if (!isRecord(parsed) || !isRecord(parsed.payload) || parsed.payload.type !== 'task_started') return null;
  const attribution = parsed.payload.turn_attribution;
  if (!isRecord(attribution)) return null;
  const { turn_id, turn_trigger } = attribution;
  return typeof turn_id === 'string' && typeof turn_trigger === 'string' ? [[turn_id, turn_trigger]] : null;
}

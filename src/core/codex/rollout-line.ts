/** One line of a thread's file (its rollout) → the user message it holds, the task of a sub-agent, or who began a turn. Everything else in that file is asked of Codex itself. */
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

/** A text that the model's provider encrypted: one long word. A provider that encrypts nothing leaves the words as they are. */
const SEALED = /^[\w+/=-]{60,}$/;
const NEW_TASK = /^Message Type: NEW_TASK\b[\s\S]*?\nPayload:\n/;

/**
 * What the sub-agent of this path was told to do: the words, or null where only the model can read them. None for other lines; the file of a
 * sub-agent may begin with the history of its parent.
 */
export function taskOf(line: string, path: string): (string | null)[] {
  if (!line.includes('"agent_message"') || !line.includes('NEW_TASK')) return [];
  const parsed = parseJson(line);
  if (!isRecord(parsed) || parsed.type !== 'response_item' || !isRecord(parsed.payload)) return [];
  const { type, recipient, content } = parsed.payload;
  if (type !== 'agent_message' || recipient !== path || !Array.isArray(content)) return [];
  const parts = content.filter(isRecord);
  const sealed = parts.flatMap((one) => (typeof one.encrypted_content === 'string' ? [one.encrypted_content] : []));
  if (sealed.some((text) => SEALED.test(text))) return [null];
  const plain = parts.flatMap((one) => (typeof one.text === 'string' ? [one.text] : []));
  return [[...plain, ...sealed].join('').replace(NEW_TASK, '')];
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

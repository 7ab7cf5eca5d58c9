/** Says in words what a fragment tells: which terminal commands and which events the model was given. Pure; takes any text. */
import { parseJson } from '../core/text/parse-json.ts';
import { isJsonObject, isString, type JsonObject } from './model-event.ts';
import { inlineCode } from './scene.ts';

/** More would be a recital. */
const MAX_TOLD = 12;

/** Undefined for a fragment that tells of neither. */
export function tellGiven(tag: string, text: string): string | undefined {
  const payload = parseJson(text);
  if (isJsonObject(payload) && payload.type === 'user_cmd_context') return tellCommands(payload);
  if (/^(?:external_)?events?$/.test(tag)) return tellEvents(text);
  if (isJsonObject(payload) && payload.type === 'events' && isString(payload.text)) return tellEvents(payload.text);
  return undefined;
}

function tellCommands(context: JsonObject): string {
  const commands = (Array.isArray(context.commands) ? context.commands : []).filter(isJsonObject);
  const told = commands.slice(-MAX_TOLD).map((one) => {
    const how = isString(one.status) ? one.status : `exit ${String(one.exit_code ?? 'unknown')}`;
    const preview = isJsonObject(one.preview) && Array.isArray(one.preview.lines) ? one.preview.lines : [];
    const last = preview.filter(isString).at(-1);
    return `${inlineCode(String(one.cmd ?? ''))} (${how}${last === undefined ? '' : `, last line ${inlineCode(last, 80)}`})`;
  });
  const dropped =
    typeof context.dropped === 'number' && context.dropped > 0 ? `, ${context.dropped} earlier left out` : '';
  return `terminal commands (${String(context.total_commands_run ?? commands.length)} run${dropped}): ${told.join('; ')}`;
}

/** A heading, then one JSON object a line. */
function tellEvents(text: string): string {
  const events = text
    .split('\n')
    .map(parseJson)
    .filter(isJsonObject)
    .filter((one) => isString(one.title));
  const told = events.slice(-MAX_TOLD).map((one) => {
    const from = [one.severity, one.type, one.source].filter(isString).join(' ');
    return `${inlineCode(String(one.title))}${from === '' ? '' : ` (${from})`}`;
  });
  return events.length === 0 ? `events: ${inlineCode(text, 300)}` : `events (${events.length}): ${told.join('; ')}`;
}

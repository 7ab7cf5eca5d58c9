/** Reads a request to the scripted model the way a model does: who said what, in order. For tests only. */
import { CommandContext } from '../contract/context.ts';

export interface Said {
  readonly role: string;
  readonly text: string;
}

export function saidIn(body: Readonly<Record<string, unknown>>): Said[] {
  const items = Array.isArray(body.input) ? body.input : [];
  return items.flatMap((item) => {
    const context = contextIn(item);
    if (context !== null) return [context];
    return (Array.isArray(item.content) ? item.content : []).flatMap((part: { readonly text?: unknown }) =>
      typeof part.text === 'string' ? [{ role: String(item.role), text: part.text }] : [],
    );
  });
}

/** Codex 0.169 and newer give context as the result of a tool that nobody called; read as the tagged user text of older ones. */
function contextIn(item: Readonly<Record<string, unknown>>): Said | null {
  const { type, namespace, name, output, call_id } = item;
  if (type !== 'function_call_output') return null;
  if (call_id !== undefined || namespace !== 'agent') return { role: 'tool', text: String(output) };
  return { role: 'user', text: `<external_${String(name)}>${String(output)}</external_${String(name)}>` };
}

/** The values of every fragment with this key, data or guidance. */
export function valuesIn(said: readonly Said[], key: string): string[] {
  return said.flatMap(({ role, text }) => {
    const tag = role === 'developer' ? key : `external_${key}`;
    const isIt = text.startsWith(`<${tag}>`) && text.endsWith(`</${tag}>`);
    return isIt ? [text.slice(tag.length + 2, -tag.length - 3)] : [];
  });
}

export function commandsIn(said: readonly Said[]): CommandContext[] {
  const values = valuesIn(
    said.filter((one) => one.role === 'user'),
    'user_cmd_context',
  );
  return values.map((value) => CommandContext.parse(JSON.parse(value)));
}

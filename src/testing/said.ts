/** Reads a request to the scripted model the way a model does: who said what, in order. For tests only. */
import { CommandContext } from '../contract/context.ts';

export interface Said {
  readonly role: string;
  readonly text: string;
}

export function saidIn(body: Readonly<Record<string, unknown>>): Said[] {
  const items = Array.isArray(body.input) ? body.input : [];
  return items.flatMap((item) =>
    (Array.isArray(item.content) ? item.content : []).flatMap((part: { readonly text?: unknown }) =>
      typeof part.text === 'string' ? [{ role: String(item.role), text: part.text }] : [],
    ),
  );
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

/** What went along with a message, in words for a person; the exact text is shown below them. */
import type { ContextMark, Fragment, FragmentName } from '../../contract/context.ts';
import { isRecord } from '../../core/text/is-record.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import { en } from '../strings/en.ts';

/** What tells most comes first. */
export const CONTEXT_NAMES: readonly FragmentName[] = ['commands', 'events', 'terminal', 'peers', 'policy'];

/** `2 commands, 1 event, terminal`. The note goes without saying, unless it is alone. */
export function describeMark({ names, counts }: ContextMark): string {
  const telling = CONTEXT_NAMES.filter((name) => names.includes(name) && name !== 'policy');
  const shown = telling.length === 0 ? (['policy'] as const) : telling;
  return shown.map((name) => describePart(name, counts[name])).join(', ');
}

function describePart(name: FragmentName, count: number | undefined): string {
  if (count === undefined) return en.context.names[name];
  if (name === 'commands') return en.context.commands(count);
  return name === 'events' ? en.context.events(count) : en.context.names[name];
}

interface GivenCommand {
  readonly key: string;
  readonly cmd: string;
  readonly end: string;
  readonly isGood: boolean;
}

interface GivenCommands {
  readonly commands: readonly GivenCommand[];
  /** What was left out or shortened. */
  readonly missing: readonly string[];
}

/** Null for any other fragment, and for what cannot be read. */
export function readCommands({ name, value }: Pick<Fragment, 'name' | 'value'>): GivenCommands | null {
  const given = name === 'commands' ? parseJson(value) : null;
  if (!isRecord(given) || !Array.isArray(given.commands)) return null;
  const entries = given.commands.filter(isRecord);
  const shortened = entries.filter(({ preview }) => isRecord(preview) && preview.truncated === true).length;
  const { dropped, total_commands_run: run } = given;
  return {
    commands: entries.map(readCommand),
    missing: [
      ...(typeof dropped === 'number' && typeof run === 'number' && dropped > 0
        ? [en.context.dropped(dropped, run)]
        : []),
      ...(shortened > 0 ? [en.context.shortened(shortened)] : []),
    ],
  };
}

function readCommand(entry: Record<string, unknown>): GivenCommand {
  const { block_id, cmd, exit_code, status } = entry;
  const ends: Readonly<Record<string, string>> = en.context.ends;
  const how = typeof status === 'string' ? (ends[status] ?? status) : null;
  const code = typeof exit_code === 'number' ? en.context.exit(exit_code) : null;
  return {
    key: String(block_id),
    cmd: String(cmd),
    end: [how, code].filter((word) => word !== null).join(', '),
    isGood: exit_code === 0 && how === null,
  };
}

/** What the message box suggests at the caret: files behind `@`, commands behind `/`. Knows nothing of keys or of the DOM. */
import { useEffect, useId, useMemo, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import type { Mentioned, Place } from '../state/file-commands.ts';
import { useApp, useCommands, useGetState } from '../state/use-app.ts';
import { createMentionLookup } from './mention-lookup.ts';
import { type Range, renderMention, typedMention } from './mention-token.ts';
import { slashItems } from './slash-commands.ts';

export interface Suggestion {
  readonly key: string;
  readonly kind: 'file' | 'directory' | 'command';
  readonly label: string;
  readonly hint: string;
  /** Put in the place of what was typed. */
  readonly insert: string | null;
  readonly range: Range;
  readonly run: (() => void) | null;
}

export interface Suggestions {
  /** history: earlier commands of the shell. */
  readonly kind: 'files' | 'commands' | 'history';
  readonly items: readonly Suggestion[];
  /** The project is still being listed. */
  readonly isPartial: boolean;
}

interface Input {
  readonly conversationId: ConversationId | null;
  /** Where to look without a conversation; empty: nowhere. */
  readonly cwd: string;
  readonly text: string;
  /** Null while something is selected, or the box has no focus. */
  readonly caret: number | null;
}

/** Both kinds in sight of each other; who wants another types a letter more. */
const MAX_FILES = 12;
const MAX_DIRECTORIES = 8;

export function useSuggestions({ conversationId, cwd, text, caret }: Input): Suggestions | null {
  const getState = useGetState();
  const commands = useCommands();
  const meta = useApp((state) => state.meta);
  const models = useApp((state) => state.models);
  const place = usePlace(conversationId, cwd);
  const typed = caret === null || place === null ? null : typedMention(text, caret);
  const found = useMentioned(place, typed?.query ?? null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: meta and models decide what is offered and are read through getState
  const slashes = useMemo(() => {
    if (caret === null || !text.startsWith('/')) return null;
    const range = { start: 0, end: text.length };
    const items = slashItems(text, getState(), commands).map(
      (one): Suggestion => ({
        key: one.key,
        kind: 'command',
        label: one.name,
        hint: one.hint,
        insert: one.completes ?? null,
        range,
        run: one.run ?? null,
      }),
    );
    return items.length === 0 ? null : { kind: 'commands' as const, items, isPartial: false };
  }, [text, caret === null, getState, commands, meta, models]);

  if (slashes !== null) return slashes;
  if (typed === null || found === null) return null;
  const files = found.files.filter((one) => one.type === 'file').slice(0, MAX_FILES);
  const directories = found.files.filter((one) => one.type === 'directory').slice(0, MAX_DIRECTORIES);
  const items = [...files, ...directories].map(
    ({ path, type }): Suggestion => ({
      key: `${type}:${path}`,
      kind: type,
      label: path,
      hint: '',
      insert: `${renderMention(path)} `,
      range: typed,
      run: null,
    }),
  );
  return { kind: 'files', items, isPartial: found.is_complete === false };
}

function usePlace(id: ConversationId | null, cwd: string): Place | null {
  return useMemo(() => {
    if (id !== null) return { conversation_id: id };
    return cwd === '' ? null : { cwd };
  }, [id, cwd]);
}

function useMentioned(place: Place | null, query: string | null): Mentioned | null {
  const { mention } = useCommands();
  const picker = useId();
  const [found, setFound] = useState<Mentioned | null>(null);
  const lookup = useMemo(
    () =>
      place === null
        ? null
        : createMentionLookup({ find: (asked) => mention(place, asked, picker), tell: setFound, later: againSoon }),
    [place, mention, picker],
  );
  useEffect(() => () => lookup?.close(), [lookup]);
  useEffect(() => lookup?.want(query), [lookup, query]);
  const isOpen = query !== null;
  useEffect(() => {
    if (!isOpen) setFound(null);
  }, [isOpen]);
  return isOpen ? found : null;
}

/** While the tree is being listed, asking again finds more. */
const AGAIN_MS = 250;
function againSoon(run: () => void): () => void {
  const timer = setTimeout(run, AGAIN_MS);
  return () => clearTimeout(timer);
}

/** What the message box suggests at the caret: files behind `@`, commands behind `/`. Knows nothing of keys or of the DOM. */
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import type { Mentioned, Place } from '../state/file-commands.ts';
import { createLatest, type Latest } from '../state/latest.ts';
import { useApp, useCommands, useGetState } from '../state/use-app.ts';
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
  readonly kind: 'files' | 'commands';
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

/** While the tree is being listed, asking again finds more. */
const AGAIN_MS = 250;
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
  const latest = useRef<Latest<string> | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    if (place === null) return;
    const made = createLatest<string, Mentioned | null>(
      (asked) => mention(place, asked, `${picker}`),
      (answer, asked) => {
        if (answer === null || answer.is_stale === true) return;
        setFound(answer);
        clearTimeout(timer.current);
        if (answer.is_complete === false) timer.current = setTimeout(() => made.ask(asked), AGAIN_MS);
      },
    );
    latest.current = made;
    return () => {
      clearTimeout(timer.current);
      made.forget();
    };
  }, [place, mention, picker]);

  const isOpen = query !== null;
  useEffect(() => {
    clearTimeout(timer.current);
    if (query !== null) latest.current?.ask(query);
  }, [query]);
  useEffect(() => {
    if (isOpen) return;
    clearTimeout(timer.current);
    setFound(null);
  }, [isOpen]);
  return isOpen ? found : null;
}

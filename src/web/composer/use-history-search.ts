/** Ctrl-R in the shell prompt: a list of earlier commands that narrows while one types. What is chosen comes into the box and is not run. */
import { type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { searchHistory } from '../terminal/search-history.ts';
import { replaceInBox } from './edit-box.ts';
import { optionId } from './option-id.ts';
import type { Suggestion, Suggestions } from './use-suggestions.ts';

interface Input {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly history: readonly string[];
}

interface HistorySearch {
  readonly listId: string;
  /** Null while nobody searches. */
  readonly suggestions: Suggestions | null;
  readonly chosen: number;
  readonly activeId: string | undefined;
  readonly pick: (one: Suggestion) => void;
  /** True when the key was for the search. */
  readonly takeKey: (event: KeyboardEvent) => boolean;
  /** What is typed changed: the newest that fits is chosen again. */
  readonly restart: () => void;
}

export function useHistorySearch({ box, text, history }: Input): HistorySearch {
  /** What was typed before the search, which Escape brings back; null while nobody searches. */
  const [before, setBefore] = useState<string | null>(null);
  const [chosen, setChosen] = useState(0);
  const listId = useId();
  const found = before === null ? [] : searchHistory(history, text).map((command) => suggestionOf(command, text));

  function put(command: string): void {
    if (box.current !== null) replaceInBox(box.current, 0, text.length, command);
    setBefore(null);
  }

  function takeKey(event: KeyboardEvent): boolean {
    const isSearchKey = event.ctrlKey && !event.altKey && !event.metaKey && event.key.toLowerCase() === 'r';
    if (before === null) {
      if (!isSearchKey) return false;
      setBefore(text);
      setChosen(0);
    } else if (isSearchKey || event.key === 'ArrowDown') step(event.shiftKey && isSearchKey ? -1 : 1);
    else if (event.key === 'ArrowUp') step(-1);
    else if (event.key === 'Escape' || (event.ctrlKey && event.key === 'g')) put(before);
    else if (event.key === 'Enter' || event.key === 'Tab') put(found[chosen]?.insert ?? text);
    else return false;
    event.preventDefault();
    return true;
  }

  function step(by: 1 | -1): void {
    if (found.length > 0) setChosen((chosen + by + found.length) % found.length);
  }

  const isOpen = before !== null;
  return {
    listId,
    suggestions: isOpen ? { kind: 'history', items: found, isPartial: false } : null,
    chosen,
    activeId: found.length > 0 ? optionId(listId, chosen) : undefined,
    pick: (one) => put(one.insert ?? ''),
    takeKey,
    restart: () => setChosen(0),
  };
}

function suggestionOf(command: string, typed: string): Suggestion {
  const range = { start: 0, end: typed.length };
  return { key: command, kind: 'command', label: command, hint: '', insert: command, range, run: null };
}

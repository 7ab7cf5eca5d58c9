/** Tab in the shell prompt: takes what is suggested, completes a path, or lists what it may become. */
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { completeWord, wordAt } from '../terminal/ghost.ts';
import { replaceInBox } from './edit-box.ts';
import { optionId } from './option-id.ts';
import type { Suggestion, Suggestions } from './use-suggestions.ts';

interface Input {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  /** What is suggested behind the caret; empty when nothing is. */
  readonly ghost: string;
  readonly isAtEnd: boolean;
  readonly paths: readonly string[];
  /** Paths for what was typed are still on their way. */
  readonly isLooking: boolean;
}

export interface Completion {
  readonly listId: string;
  /** Null while there is nothing to choose from. */
  readonly suggestions: Suggestions | null;
  readonly chosen: number;
  readonly activeId: string | undefined;
  readonly pick: (one: Suggestion) => void;
  /** True when there is or may be something to complete; else Tab goes on to the next thing on the page, as everywhere. */
  readonly complete: (element: HTMLTextAreaElement) => boolean;
  /** True when the key was for the list. */
  readonly takeKey: (event: KeyboardEvent) => boolean;
  readonly close: () => void;
  /** Another key came: a Tab that still waited is forgotten. */
  readonly forget: () => void;
}

export function useCompletion({ box, text, ghost, isAtEnd, paths, isLooking }: Input): Completion {
  const [choices, setChoices] = useState<readonly Suggestion[]>([]);
  const [chosen, setChosen] = useState(0);
  /** The text for which Tab was pressed before anybody knew what it completes to. */
  const awaited = useRef<string | null>(null);
  const listId = useId();

  const completeLate = useEffectEvent(() => {
    if (box.current !== null && awaited.current === text) complete(box.current);
  });
  const canComplete = ghost !== '' || !isLooking;
  useEffect(() => {
    // Not within the effect: React would put the old text back into a box that is edited meanwhile.
    if (canComplete && awaited.current !== null) queueMicrotask(completeLate);
  }, [canComplete]);

  function pick(one: Suggestion): void {
    if (box.current !== null) replaceInBox(box.current, one.range.start, one.range.end, one.insert ?? '');
    setChoices([]);
  }

  function complete(element: HTMLTextAreaElement): boolean {
    awaited.current = null;
    if (ghost !== '') {
      replaceInBox(element, text.length, text.length, ghost);
      return true;
    }
    if (text.trim() === '') return false;
    if (isAtEnd && isLooking) {
      awaited.current = text;
      return true;
    }
    const caret = element.selectionStart;
    const { word, start } = wordAt(text, caret);
    const found = completeWord(word, paths);
    if (found === null) return false;
    if (found.insert !== text.slice(start, caret)) replaceInBox(element, start, caret, found.insert);
    setChosen(0);
    setChoices(found.choices.map((path) => suggestionOf(path, { start, end: start + found.insert.length })));
    return true;
  }

  function takeKey(event: KeyboardEvent): boolean {
    const current = choices[chosen];
    if (current === undefined) return false;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const by = event.key === 'ArrowDown' ? 1 : -1;
      setChosen((chosen + by + choices.length) % choices.length);
    } else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) pick(current);
    else if (event.key === 'Escape') setChoices([]);
    else return false;
    event.preventDefault();
    return true;
  }

  const hasChoices = choices.length > 0;
  return {
    listId,
    suggestions: hasChoices ? { kind: 'files', items: choices, isPartial: false } : null,
    chosen,
    activeId: hasChoices ? optionId(listId, chosen) : undefined,
    pick,
    complete,
    takeKey,
    close: () => setChoices([]),
    forget: () => {
      awaited.current = null;
    },
  };
}

function suggestionOf(path: string, range: Suggestion['range']): Suggestion {
  const { insert } = completeWord(path, [path]) ?? { insert: path };
  const kind = path.endsWith('/') ? 'directory' : 'file';
  return { key: path, kind, label: path, hint: '', insert, range, run: null };
}

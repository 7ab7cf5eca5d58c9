/** Joins the message box with its suggestions: caret, keys, what is chosen, and mentions that are deleted whole. */
import { type KeyboardEvent, type RefObject, useCallback, useId, useMemo, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import { replaceInBox } from './edit-box.ts';
import { mentionsIn, type Range, tokenRanges, wholeBefore } from './mention-token.ts';
import { optionId } from './option-id.ts';
import { type Suggestion, type Suggestions, useSuggestions } from './use-suggestions.ts';

interface Input {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly conversationId: ConversationId | null;
  readonly cwd: string;
  readonly text: string;
}

export interface SuggestBox {
  readonly listId: string;
  readonly suggestions: Suggestions | null;
  readonly chosen: number;
  readonly activeId: string | undefined;
  readonly ranges: readonly Range[];
  readonly pick: (one: Suggestion) => void;
  /** Reads the caret again: after each change, key and click. */
  readonly look: () => void;
  readonly leave: () => void;
  /** True when the key was for the list or for a mention. */
  readonly takeKey: (event: KeyboardEvent<HTMLTextAreaElement>) => boolean;
}

export function useSuggestBox({ box, conversationId, cwd, text }: Input): SuggestBox {
  const listId = useId();
  const [caret, setCaret] = useState<number | null>(null);
  const [chosenFor, setChosen] = useState({ text: '', at: 0 });
  /** The text for which somebody closed the list; another key may open it again. */
  const [closedFor, setClosed] = useState<string | null>(null);
  const [known, setKnown] = useState<ReadonlySet<string>>(() => new Set(mentionsIn(text)));
  const offered = useSuggestions({ conversationId, cwd, text, caret });
  const suggestions = offered === null || closedFor === text ? null : offered;
  const count = suggestions?.items.length ?? 0;
  const chosen = chosenFor.text === text ? Math.min(chosenFor.at, Math.max(0, count - 1)) : 0;
  const ranges = useMemo(() => tokenRanges(text, known), [text, known]);

  const look = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    const isCaret = element.selectionStart === element.selectionEnd && element.matches(':focus');
    setCaret(isCaret ? element.selectionStart : null);
  }, [box]);

  function pick(one: Suggestion): void {
    const element = box.current;
    if (element === null) return;
    if (one.kind !== 'command' && one.insert !== null) setKnown(new Set(known).add(one.insert.trimEnd()));
    replaceInBox(element, one.range.start, one.range.end, one.insert ?? '');
    if (one.insert === null) one.run?.();
  }

  function takeKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === 'Backspace' && !event.shiftKey) return deleteWhole(event);
    const current = suggestions?.items[chosen];
    if (suggestions === null) return false;
    if (event.key === 'Escape') {
      setClosed(text);
      return true;
    }
    if (current === undefined) return false;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const by = event.key === 'ArrowDown' ? 1 : -1;
      setChosen({ text, at: (chosen + by + count) % count });
      return true;
    }
    if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
      event.preventDefault();
      pick(current);
      return true;
    }
    return false;
  }

  function deleteWhole(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
    const { selectionStart, selectionEnd } = event.currentTarget;
    if (selectionStart !== selectionEnd) return false;
    const whole = wholeBefore(text, selectionStart, known);
    if (whole === null) return false;
    event.preventDefault();
    replaceInBox(event.currentTarget, whole.start, whole.end, '');
    return true;
  }

  return {
    listId,
    suggestions,
    chosen,
    activeId: count === 0 ? undefined : optionId(listId, chosen),
    ranges,
    pick,
    look,
    leave: () => setCaret(null),
    takeKey,
  };
}

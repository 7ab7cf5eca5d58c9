/** Find in this conversation: all of it, on the server; a hit brings its entry into view however far it is. */
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import type { Hit } from '../../contract/routes-search.ts';
import { useCommands, useGetState } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import fields from '../ui/Field.module.css';
import { takeHeldText } from '../ui/HeldKeys.tsx';
import styles from './FindBar.module.css';
import { HitRow } from './HitRow.tsx';
import { type FindState, useFind } from './use-find.ts';

export function FindBar({ conversationId }: { readonly conversationId: ConversationId }) {
  const { setFinding, setSought, jumpTo } = useCommands();
  const getState = useGetState();
  const [query, setQuery] = useState(() => getState().sought || takeHeldText());
  /** Counted over all occurrences; -1: none is shown yet. */
  const [at, setAt] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  const { state, more } = useFind(conversationId, query.trim());
  const total = countWords(state.hits);
  useEffect(() => {
    // Whoever comes from a search in the list reads; whoever opened the bar types.
    if (getState().sought === '') field.current?.focus();
  }, [getState]);
  useEffect(() => {
    const sought = query.trim();
    if (getState().sought !== sought) setSought(sought);
  }, [query, getState, setSought]);
  // Come from a search in the list: the hit that was chosen there is the current one.
  useEffect(() => {
    const place = state.hits.findIndex(({ seq }) => seq === getState().jump?.seq);
    if (place >= 0) setAt((before) => (before < 0 ? countWords(state.hits.slice(0, place)) : before));
  }, [state.hits, getState]);

  function show(next: number): void {
    if (total === 0) return;
    const place = ((next % total) + total) % total;
    const found = wordAt(state.hits, place);
    setAt(place);
    if (found !== null) void jumpTo(found.hit.seq, found.word);
  }

  function close(): void {
    setFinding(false);
    document.getElementById('composer')?.focus({ preventScroll: true });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' || event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const isBack = event.shiftKey || event.key === 'ArrowUp';
      if (event.key === 'Enter' && event.target !== field.current) return;
      show(at < 0 ? (isBack ? -1 : 0) : at + (isBack ? -1 : 1));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <search className={fields.strip} aria-label={en.find.label} onKeyDown={onKeyDown}>
      <div className={fields.bar}>
        <input
          ref={field}
          type="search"
          className={fields.field}
          value={query}
          maxLength={400}
          aria-label={en.find.label}
          placeholder={en.find.placeholder}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(-1);
          }}
        />
        <span className={styles.count} role="status">
          {countOf(state, at, total)}
        </span>
        <Button
          tone="quiet"
          icon={<ChevronUp size={16} />}
          name={en.find.previous}
          disabled={state.hits.length === 0}
          onClick={() => show(at < 0 ? -1 : at - 1)}
        />
        <Button
          tone="quiet"
          icon={<ChevronDown size={16} />}
          name={en.find.next}
          disabled={state.hits.length === 0}
          onClick={() => show(at + 1)}
        />
        <Button tone="quiet" icon={<X size={16} />} name={en.close} onClick={close} />
      </div>
      {state.hits.length > 0 && (
        <ul className={styles.hits}>
          {state.hits.map((hit, place) => (
            <li key={hit.seq}>
              <HitRow
                hit={hit}
                isCurrent={wordAt(state.hits, at)?.hit === hit}
                onPick={() => show(countWords(state.hits.slice(0, place)))}
              />
            </li>
          ))}
          {state.next !== null && (
            <li>
              <Button tone="quiet" disabled={state.status === 'searching'} onClick={() => void more()}>
                {state.status === 'searching' ? en.find.searching : en.find.more}
              </Button>
            </li>
          )}
        </ul>
      )}
      {state.hasUnreadPast && state.status === 'ready' && <p className={styles.note}>{en.find.unreadPast}</p>}
    </search>
  );
}

/** The n-th occurrence: its hit, and which of the hit's occurrences it is. */
function wordAt(hits: readonly Hit[], at: number): { readonly hit: Hit; readonly word: number } | null {
  let word = at;
  for (const hit of hits) {
    if (word < hit.count) return { hit, word };
    word -= hit.count;
  }
  return null;
}

function countWords(hits: readonly Hit[]): number {
  return hits.reduce((sum, { count }) => sum + count, 0);
}

function countOf(state: FindState, at: number, words: number): string {
  if (state.status === 'failed') return en.find.failed;
  if (state.status === 'idle') return '';
  if (state.hits.length === 0) return state.status === 'searching' ? en.find.searching : en.find.nothing;
  const total = en.find.total(words, state.next === null);
  return at < 0 ? total : en.find.of(at + 1, total);
}

/** Find in this conversation: all of it, on the server; a hit brings its entry into view however far it is. */
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import fields from '../ui/Field.module.css';
import styles from './FindBar.module.css';
import { HitRow } from './HitRow.tsx';
import { type FindState, useFind } from './use-find.ts';

export function FindBar({ conversationId }: { readonly conversationId: ConversationId }) {
  const isFinding = useApp((state) => state.isFinding);
  return isFinding ? <OpenBar conversationId={conversationId} /> : null;
}

function OpenBar({ conversationId }: { readonly conversationId: ConversationId }) {
  const { setFinding, jumpTo } = useCommands();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  const { state, more } = useFind(conversationId, query.trim());
  useEffect(() => field.current?.focus(), []);

  function show(next: number): void {
    const count = state.hits.length;
    if (count === 0) return;
    const place = ((next % count) + count) % count;
    const hit = state.hits[place];
    setAt(place);
    if (hit !== undefined) void jumpTo(hit.seq);
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
          {countOf(state, at)}
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
              <HitRow hit={hit} isCurrent={place === at} onPick={() => show(place)} />
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

function countOf(state: FindState, at: number): string {
  if (state.status === 'failed') return en.find.failed;
  if (state.status === 'idle') return '';
  if (state.hits.length === 0) return state.status === 'searching' ? en.find.searching : en.find.nothing;
  const total = en.find.total(state.hits.length, state.next === null);
  return at < 0 ? total : en.find.of(at + 1, total);
}

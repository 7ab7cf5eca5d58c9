/** What a search in the sidebar finds: names at once, then what the server knows by name, then what was said. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ConversationRow } from '../../contract/conversation.ts';
import { HitRow } from '../find/HitRow.tsx';
import type { Found } from '../state/find-commands.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { ConversationItem } from './ConversationItem.tsx';
import { matchRows, nameOf } from './group-conversations.ts';
import styles from './Sidebar.module.css';

const NAMES_MS = 120;
/** Reading through every transcript is worth it only for a word that somebody stopped typing at. */
const CONTENT_MS = 400;
const MIN_CONTENT_CHARS = 2;

export function FoundList({ query }: { readonly query: string }) {
  const list = useApp((state) => state.list);
  const { search, goToEntry, show } = useCommands();
  const byServer = useAfter(query, NAMES_MS, search);
  const said = useSaid(query);
  const rows = useMemo(() => merge(matchRows(list.values(), query), byServer ?? []), [list, query, byServer]);
  const isReady = byServer !== null && said !== 'searching';
  const hits = said === 'searching' || said === null ? [] : said.hits;
  if (rows.length === 0 && hits.length === 0)
    return <p className={styles.note}>{isReady ? en.sidebar.nothingFound : en.find.searching}</p>;
  return (
    <>
      <ul>
        {rows.map((row) => (
          <ConversationItem key={row.id} row={row} />
        ))}
      </ul>
      {said === 'searching' && <p className={styles.note}>{en.find.searching}</p>}
      {hits.length > 0 && (
        <section className={styles.project}>
          <h2 className={styles.title}>{en.find.everywhere}</h2>
          <ul>
            {hits.map((hit) => {
              const row = list.get(hit.conversation_id);
              const name = (row === undefined ? hit.name : nameOf(row)) || en.sidebar.untitled;
              return (
                <li key={`${hit.conversation_id}-${hit.seq}`}>
                  <HitRow
                    hit={hit}
                    title={name}
                    onPick={() => {
                      show('none');
                      goToEntry(hit.conversation_id, hit.seq, query);
                    }}
                  />
                </li>
              );
            })}
          </ul>
        </section>
      )}
    </>
  );
}

function merge(first: readonly ConversationRow[], more: readonly ConversationRow[]): readonly ConversationRow[] {
  const known = new Set(first.map((row) => row.id));
  return [...first, ...more.filter((row) => !known.has(row.id))];
}

function useSaid(query: string): Found | 'searching' | null {
  const { findText } = useCommands();
  const isWorth = query.length >= MIN_CONTENT_CHARS;
  const find = useCallback(async (q: string) => ({ found: q === '' ? null : await findText(q, {}) }), [findText]);
  const answer = useAfter(isWorth ? query : '', CONTENT_MS, find);
  if (!isWorth) return null;
  return answer === null ? 'searching' : answer.found;
}

/** The answer to the newest question, asked after a pause; null until then. */
function useAfter<T>(query: string, pauseMs: number, ask: (query: string) => Promise<T>): T | null {
  const [answer, setAnswer] = useState<{ readonly query: string; readonly value: T } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      void ask(query).then((value) => isCurrent && setAnswer({ query, value }));
    }, pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [query, pauseMs, ask]);
  return answer?.query === query ? answer.value : null;
}

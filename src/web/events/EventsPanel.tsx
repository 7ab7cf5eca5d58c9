/** The drawer's events: an inbox, one event whole, and the rules that decide. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import { type EventQuery, eventAddress } from '../state/event-commands.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { classes } from '../ui/classes.ts';
import { EventDetail } from './EventDetail.tsx';
import { EventList } from './EventList.tsx';
import styles from './EventsPanel.module.css';
import { RulesEditor } from './RulesEditor.tsx';

const EVERYTHING: EventQuery = { isUnreadOnly: false };

type Tab = 'inbox' | 'rules';

export function EventsPanel({ conversationId }: { readonly conversationId: ConversationId | null }) {
  const threadId = useApp((state) => eventAddress(state.meta));
  const shownEvent = useApp((state) => state.shownEvent);
  const [tab, setTab] = useState<Tab>('inbox');
  /** Rules that are being written outlive a look at the inbox. */
  const [isEditing, setEditing] = useState(false);
  /** What is sought outlives a look at one of those found. */
  const [query, setQuery] = useState<EventQuery>(EVERYTHING);
  const left = useRef<number | null>(null);
  useEffect(() => {
    if (shownEvent !== null) left.current = shownEvent;
  }, [shownEvent]);
  const { showEvents } = useCommands();
  const shownIn = useRef({ conversationId, threadId });
  useEffect(() => {
    const before = shownIn.current;
    shownIn.current = { conversationId, threadId };
    // The first message of a draft gave it a thread: events are counted anew there, and the number shown may be another event's.
    const hasMoved =
      before.conversationId === conversationId && before.threadId !== null && before.threadId !== threadId;
    if (hasMoved && threadId !== null) showEvents(null);
  }, [conversationId, threadId, showEvents]);
  const of = useMemo(
    () => (conversationId === null || threadId === null ? null : { conversationId, threadId }),
    [conversationId, threadId],
  );
  function open(next: Tab): void {
    setTab(next);
    if (next === 'rules') setEditing(true);
  }
  return (
    <div className={styles.panel}>
      <div className={styles.tabs}>
        {(['inbox', 'rules'] as const).map((one) => (
          <button
            key={one}
            type="button"
            className={classes(styles.tab, one === tab && styles.open)}
            aria-pressed={one === tab}
            onClick={() => open(one)}
          >
            {en.events[one]}
          </button>
        ))}
      </div>
      {isEditing && (
        <div hidden={tab !== 'rules'}>
          <RulesEditor threadId={threadId} />
        </div>
      )}
      {tab === 'inbox' && of === null && <p className={styles.empty}>{en.events.noConversation}</p>}
      {tab === 'inbox' && of !== null && shownEvent === null && (
        <EventList of={of} query={query} onQuery={setQuery} left={left.current} />
      )}
      {tab === 'inbox' && of !== null && shownEvent !== null && (
        <EventDetail key={shownEvent} of={of} eventSeq={shownEvent} onRules={() => open('rules')} />
      )}
    </div>
  );
}

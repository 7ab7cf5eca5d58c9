/** The drawer's events: an inbox, one event whole, and the rules that decide. */
import { useMemo, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import { useApp } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { classes } from '../ui/classes.ts';
import { EventDetail } from './EventDetail.tsx';
import { EventList } from './EventList.tsx';
import styles from './EventsPanel.module.css';
import { RulesEditor } from './RulesEditor.tsx';

type Tab = 'inbox' | 'rules';

export function EventsPanel({ conversationId }: { readonly conversationId: ConversationId | null }) {
  const threadId = useApp((state) => state.meta?.thread_id ?? null);
  const shownEvent = useApp((state) => state.shownEvent);
  const [tab, setTab] = useState<Tab>('inbox');
  const of = useMemo(
    () => (conversationId === null || threadId === null ? null : { conversationId, threadId }),
    [conversationId, threadId],
  );
  return (
    <div className={styles.panel}>
      <div className={styles.tabs}>
        {(['inbox', 'rules'] as const).map((one) => (
          <button
            key={one}
            type="button"
            className={classes(styles.tab, one === tab && styles.open)}
            aria-pressed={one === tab}
            onClick={() => setTab(one)}
          >
            {en.events[one]}
          </button>
        ))}
      </div>
      {tab === 'rules' && <RulesEditor threadId={threadId} />}
      {tab === 'inbox' && of === null && <p className={styles.empty}>{en.events.draft}</p>}
      {tab === 'inbox' && of !== null && shownEvent === null && <EventList of={of} />}
      {tab === 'inbox' && of !== null && shownEvent !== null && (
        <EventDetail key={shownEvent} of={of} eventSeq={shownEvent} onRules={() => setTab('rules')} />
      )}
    </div>
  );
}

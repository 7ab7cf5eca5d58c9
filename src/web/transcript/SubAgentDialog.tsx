/** The thread of a sub-agent, to read: it has no conversation, since only the agent that started it may speak to it. */
import { type ComponentType, useEffect, useMemo, useState } from 'react';
import type { Entry } from '../../contract/entry.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { SubAgentRecord } from '../../contract/sub-agent.ts';
import { createLatest } from '../state/latest.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { EN_AGENTS } from '../strings/en-agents.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { agentShown } from './agent-shown.ts';
import { showName } from './ansi.ts';
import { TurnFooter } from './NoticeCard.tsx';
import { agentKey, type Row, rowOf } from './rows.ts';
import styles from './SubAgentCard.module.css';
import { TaskList } from './SubAgentCard.tsx';

interface SubAgentDialogProps {
  readonly threadId: string;
  /** The card of a row; given, since its module loads this one. */
  readonly card: RowComponent;
}

type RowComponent = ComponentType<{ readonly row: Row }>;

export function SubAgentDialog({ threadId, card }: SubAgentDialogProps) {
  const id = useApp((state) => state.openId);
  const { showAgent } = useCommands();
  const row = useApp((state) => rowOf(state.transcript, agentKey(threadId)));
  const read = useThread(id, threadId, row);
  const name = row?.kind === 'agent' ? agentShown(row).name : '';
  const nickname = read?.ok ? (read.value.nickname ?? '') : '';
  return (
    <Dialog
      title={
        name === '' && nickname === '' ? EN_AGENTS.title : EN_AGENTS.named(showName(name === '' ? nickname : name))
      }
      className={styles.dialog}
      onClose={() => showAgent(null)}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={styles.thread} tabIndex={0} aria-label={EN_AGENTS.title}>
        <p className={styles.quiet}>{EN_AGENTS.readOnly}</p>
        {read === null && <p className={styles.quiet}>{en.loading}</p>}
        {read?.ok === false && <p className={styles.error}>{EN_AGENTS.unreadable(read.error.message)}</p>}
        {read?.ok && <Thread record={read.value} card={card} />}
      </section>
    </Dialog>
  );
}

/** Reads again whenever the card has news; null until it was read once. */
function useThread(id: ConversationId | null, threadId: string, news: unknown): Result<SubAgentRecord> | null {
  const { readSubAgent } = useCommands();
  const [read, setRead] = useState<Result<SubAgentRecord> | null>(null);
  const reader = useMemo(
    () => (id === null ? null : createLatest(() => readSubAgent(id, threadId, true), setRead)),
    [id, threadId, readSubAgent],
  );
  useEffect(() => reader?.forget, [reader]);
  useEffect(() => {
    reader?.ask(news);
  }, [reader, news]);
  return read;
}

function Thread({ record, card }: { readonly record: SubAgentRecord; readonly card: RowComponent }) {
  const { tasks, entries, thread_id } = record;
  return (
    <>
      {tasks.length > 0 && (
        <div>
          <div className={styles.label}>{EN_AGENTS.task}</div>
          <TaskList tasks={tasks} />
        </div>
      )}
      {record.has_more && <p className={styles.quiet}>{EN_AGENTS.more}</p>}
      {entries.every((one) => one.role === 'status') && <p className={styles.quiet}>{EN_AGENTS.empty}</p>}
      {entries.map((entry) => (
        <div key={entry.seq} data-role={entry.role}>
          <ThreadEntry entry={entry} threadId={thread_id} card={card} />
        </div>
      ))}
    </>
  );
}

interface ThreadEntryProps {
  readonly entry: Entry;
  readonly threadId: string;
  readonly card: RowComponent;
}

function ThreadEntry({ entry, threadId, card: Card }: ThreadEntryProps) {
  const key = `sub-agent:${threadId}:${entry.seq}`;
  // Of models whose calls tell the words, the task is the first message.
  if (entry.role === 'user') return <TaskList tasks={[entry.text]} />;
  // The acts below the end of a turn are for turns of the conversation.
  if (entry.role === 'status') return <TurnFooter entry={entry} ts={entry.ts} />;
  if (entry.role === 'reasoning')
    return <Card row={{ kind: 'reasoning', key, entries: [entry], live: [], durationMs: null }} />;
  return <Card row={{ kind: 'entry', key, entry }} />;
}

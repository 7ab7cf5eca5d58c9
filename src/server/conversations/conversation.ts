/** One open conversation, assembled: its settings, its session, its thread in Codex, its messages and its pages. */
import type { ConversationMeta, ConversationRow } from '../../contract/conversation.ts';
import type { Entry } from '../../contract/entry.ts';
import type { Result } from '../../contract/result.ts';
import { forgetTold } from '../../core/context/in-flight.ts';
import { diffMetas, type Lifecycle } from '../../core/conversations/lifecycle.ts';
import { MAX_PREVIEW_CHARS } from '../../core/conversations/new-meta.ts';
import { rowOfOpen } from '../../core/conversations/row.ts';
import { firstLine } from '../../core/text/cut.ts';
import { createHistory, type History } from './history.ts';
import { createMessages, type Messages } from './messages.ts';
import type { CodexPort, ContextPort } from './ports.ts';
import { openSession, type Session, type SessionPorts } from './session.ts';
import { createThread, type Thread } from './thread.ts';

export interface Conversation {
  readonly session: Session;
  readonly thread: Thread;
  readonly messages: Messages;
  readonly history: History;
  meta(): ConversationMeta;
  /** Stores it, and tells the lists. */
  saveMeta(meta: ConversationMeta): Promise<Result<null>>;
  row(): ConversationRow;
  /** Whether the transcript has a message with this id; waits for what is being stored. */
  isRecorded(clientMessageId: string): Promise<boolean>;
  /** The next shell command of the user's that ends. */
  onceShellOutput(command: string): Promise<Extract<Entry, { role: 'shell_output' }>>;
  close(): Promise<void>;
}

export interface ConversationPorts extends Omit<SessionPorts, 'onLifecycle' | 'onEntry' | 'onRestored'> {
  readonly codex: CodexPort;
  readonly context: ContextPort;
  /** The row that lists show has changed. */
  readonly onRow: (row: ConversationRow) => void;
  readonly onLifecycle: (event: Lifecycle) => void;
}

/** Message ids remembered to recognize a repeated send. */
const MAX_MESSAGE_IDS = 500;

export async function openConversation(stored: ConversationMeta, ports: ConversationPorts): Promise<Conversation> {
  let meta = stored;
  const messageIds = new Set<string>();
  const shellWaiters: { command: string; done: (entry: Extract<Entry, { role: 'shell_output' }>) => void }[] = [];
  const now = () => new Date(ports.clock.now()).toISOString();

  const noteMessage = (entry: Entry) => {
    if (entry.role !== 'user' || entry.client_message_id === undefined) return;
    messageIds.add(entry.client_message_id);
    const [oldest] = messageIds;
    if (messageIds.size > MAX_MESSAGE_IDS && oldest !== undefined) messageIds.delete(oldest);
  };

  const onEntry = (entry: Entry) => {
    noteMessage(entry);
    if (entry.role === 'user' && meta.preview === '')
      void saveMeta({ ...meta, preview: firstLine(entry.text, MAX_PREVIEW_CHARS) });
    if (entry.role === 'shell_output') {
      const at = shellWaiters.findIndex((one) => one.command === entry.command);
      if (at >= 0) shellWaiters.splice(at, 1)[0]?.done(entry);
    }
    // Whatever the model was told before is in a summary at best.
    if (entry.role === 'note' && entry.kind === 'compaction')
      void saveMeta({ ...meta, context_memory: forgetTold(meta.context_memory) });
    if (entry.role === 'status' || entry.role === 'approval' || entry.role === 'user') ports.onRow(row());
  };

  const session: Session = await openSession(stored, {
    ...ports,
    ask(ask) {
      ports.ask(ask);
      // Also for pages that follow another conversation: somebody is waited for.
      ports.onRow(row());
    },
    onEntry,
    onLifecycle(event) {
      // First of all: the queue goes before whatever a subscriber does with an idle conversation.
      if (event.type === 'turn_ended') messages.onIdle(event.status);
      ports.onLifecycle(event);
    },
    onRestored: (entries) => entries.forEach(noteMessage),
  });

  /** One write at a time, so that the file is never older than what was promised. */
  let saving: Promise<unknown> = Promise.resolve();
  let saved = stored;
  const saveMeta = async (next: ConversationMeta): Promise<Result<null>> => {
    const before = meta;
    const changed = { ...next, updated_at: now() };
    meta = changed;
    const write = saving.then(() => ports.store.saveMeta(changed));
    saving = write;
    const outcome = await write;
    if (!outcome.ok && meta === changed) meta = before;
    if (!outcome.ok) return outcome;
    const events = diffMetas(saved, changed);
    saved = changed;
    ports.onRow(row());
    for (const event of events) ports.onLifecycle(event);
    return outcome;
  };

  const row = (): ConversationRow => rowOfOpen(meta, session.publishedSeq(), session.state());

  const shared = { codex: ports.codex, session, store: ports.store, meta: () => meta, saveMeta };
  const thread = createThread({ ...shared, claim: ports.claim });
  const messages = createMessages({
    ...shared,
    context: ports.context,
    thread,
    isRecorded: (id) => messageIds.has(id),
    now,
    log: ports.log,
  });
  const history = createHistory(shared);
  const flight = stored.context_memory.in_flight;
  // Killed before its echo came: what went along is known all the same.
  if (flight !== null && !messageIds.has(flight.client_message_id)) {
    const { client_message_id: clientMessageId, names, counts } = flight;
    session.accept({ type: 'message.sent', clientMessageId, text: '', context: { names, counts } });
  }

  return {
    session,
    thread,
    messages,
    history,
    meta: () => meta,
    saveMeta,
    row,
    async isRecorded(id) {
      await session.drain();
      return messageIds.has(id);
    },
    onceShellOutput: (command) => new Promise((done) => shellWaiters.push({ command, done })),
    async close() {
      await saving;
      await session.close();
      await history.close();
    },
  };
}

/** The list of conversations, and what a person can do to one as a whole. */
import type { SettingsPatch } from '../../contract/conversation.ts';
import type { EntryOf } from '../../contract/entry.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { ReviewTarget } from '../../contract/review.ts';
import type { RouteCall, RouteOutput } from '../../contract/routes.ts';
import { turnsFrom } from '../../core/conversations/forgotten.ts';
import { en } from '../strings/en.ts';
import type { CommandPorts } from './command-ports.ts';
import { eventAddress } from './event-commands.ts';

type Rows = RouteOutput<'listConversations'>['conversations'];

export interface ConversationCommands {
  readList(): Promise<void>;
  loadMoreConversations(): Promise<void>;
  search(query: string): Promise<Rows>;
  listArchived(): Promise<Rows | null>;
  /** The settings of the one that is open. */
  readMeta(): Promise<void>;
  /** Whether commands in the conversation's sandbox reach the network; null if it is not known. */
  readNetwork(id: ConversationId): Promise<boolean | null>;
  /** Opens the new conversation. A failure is for the form to show. */
  create(settings: RouteCall<'createConversation'>): Promise<Result<ConversationId>>;
  /** Another attempt at the task of the conversation that was just begun; what went wrong is said. */
  beginAttempt(settings: RouteCall<'createConversation'>, message: AttemptMessage): Promise<void>;
  patch(id: ConversationId, settings: SettingsPatch): Promise<boolean>;
  setArchived(id: ConversationId, archived: boolean): Promise<void>;
  remove(id: ConversationId): Promise<void>;
  listDeleted(): Promise<RouteOutput<'listDeleted'> | null>;
  /** Out of the trash, and open. */
  restore(id: ConversationId): Promise<void>;
  /** With a turn: shares the history up to and with it. */
  fork(id: ConversationId, turnId?: string): Promise<void>;
  /** Asks for the branch of the work tree that the fork gets. */
  forkInto(turnId: string): void;
  /** Puts a message back into the box. Nothing is forgotten before the changed message is sent. */
  editFrom(id: ConversationId, turnId: string, message: Pick<EntryOf<'user'>, 'text' | 'images'>): void;
  cancelEdit(): void;
  /** Codex forgets the turn and all after it; false if it did not. */
  revert(id: ConversationId, beforeTurnId: string): Promise<boolean>;
  /** Shows or folds the turns that the revert with this note made Codex forget. */
  toggleForgotten(noteSeq: number): void;
  /** Opens the copy that a revert has kept, out of the archive. */
  openKept(id: ConversationId): Promise<void>;
  compact(id: ConversationId): Promise<void>;
  /** Goes on in a new thread; false when that failed. */
  recover(id: ConversationId): Promise<boolean>;
  /** False when it did not start. */
  review(id: ConversationId, target: ReviewTarget): Promise<boolean>;
}

type AttemptMessage = Pick<RouteCall<'sendMessage'>, 'text' | 'images'>;

interface ConversationPorts extends CommandPorts {
  countEvents(place: { readonly conversationId: ConversationId; readonly threadId: string }): Promise<void>;
}

const LIST_PAGE = 200;
/** As many as a palette can show. */
const FOUND_PAGE = 50;

export function createConversationCommands(ports: ConversationPorts): ConversationCommands {
  const { store, call, go, said, toast } = ports;
  const get = store.getState;
  const set = store.setState;
  /** Counts questions and changes: an answer to an older one is not shown. */
  let metaAsked = 0;
  const readBranches = async (): Promise<void> => {
    const read = await call('worktreeBranches', {});
    if (read.ok) set({ branches: new Map(read.value.branches.map(({ id, branch }) => [id, branch])) });
  };
  const restore = async (id: ConversationId): Promise<void> => {
    if ((await said(call('restoreConversation', { id }))) !== null) go(id);
  };
  return {
    readList: async () => {
      const page = await call('listConversations', { limit: LIST_PAGE });
      if (!page.ok) {
        set({ listState: 'failed' });
        return;
      }
      const list = new Map(page.value.conversations.map((row) => [row.id, row]));
      set({ list, listState: 'ready', nextCursor: page.value.next_cursor });
      void readBranches();
    },
    loadMoreConversations: async () => {
      const cursor = get().nextCursor;
      if (cursor === null) return;
      const page = await said(call('listConversations', { limit: LIST_PAGE, cursor }));
      if (page === null) return;
      const list = new Map(get().list);
      for (const row of page.conversations) list.set(row.id, row);
      set({ list, nextCursor: page.next_cursor });
    },
    search: async (q) => {
      const found = await call('listConversations', { limit: FOUND_PAGE, q });
      return found.ok ? found.value.conversations : [];
    },
    listArchived: async () => {
      const page = await said(call('listConversations', { limit: LIST_PAGE, archived: 'true' }));
      return page?.conversations ?? null;
    },
    readMeta: async () => {
      const id = get().openId;
      if (id === null) return;
      metaAsked += 1;
      const asked = metaAsked;
      const read = await call('readConversation', { id });
      // A newer question is on its way, or a change was answered meanwhile: this answer may be older than what is shown.
      if (get().openId !== id || asked !== metaAsked) return;
      // The address was made from a thread that another conversation owns.
      if (read.ok && read.value.row.id !== id) go(read.value.row.id);
      else if (read.ok) {
        const list = new Map(get().list).set(id, read.value.row);
        set({ meta: read.value.conversation, list, openState: 'ready' });
        const threadId = eventAddress(read.value.conversation);
        void readBranches();
        if (threadId !== null) void ports.countEvents({ conversationId: id, threadId });
      } else if (read.error.code === 'unknown_conversation') set({ openState: 'missing' });
    },
    readNetwork: async (id) => {
      const read = await call('conversationNetwork', { id });
      return read.ok ? read.value.network : null;
    },
    create: async (settings) => {
      const made = await call('createConversation', settings);
      if (!made.ok) return made;
      go(made.value.id);
      return { ok: true, value: made.value.id };
    },
    beginAttempt: async (...attempt) => (await import('../start/begin-attempt.ts')).beginAttempt(ports, ...attempt),
    patch: async (id, settings) => {
      const done = await said(call('patchConversation', { id, ...settings }));
      if (done === null) return false;
      if (get().openId === id) {
        metaAsked += 1;
        set({ meta: done.conversation });
      }
      return true;
    },
    setArchived: async (id, archived) => {
      const done = await said(call(archived ? 'archiveConversation' : 'unarchiveConversation', { id }));
      if (done === null) return;
      const back = () => void call(archived ? 'unarchiveConversation' : 'archiveConversation', { id });
      toast({
        text: archived ? en.sidebar.archived : en.sidebar.unarchived,
        tone: 'plain',
        action: { label: en.undo, run: back },
      });
    },
    remove: async (id) => {
      const done = await said(call('deleteConversation', { id }));
      if (done === null) return;
      const { ended_commands: ended } = done;
      const list = new Map(get().list);
      list.delete(id);
      set({ list });
      if (get().openId === id) go(null);
      toast({
        text: [en.sidebar.deleted, ...(ended > 0 ? [en.runs.endedToo(ended)] : [])].join(' '),
        tone: 'plain',
        action: {
          label: en.undo,
          run: () => void restore(id),
        },
      });
    },
    listDeleted: () => said(call('listDeleted', {})),
    restore,
    fork: async (id, turnId) => {
      const made = await said(call('forkConversation', { id, ...(turnId !== undefined && { turn_id: turnId }) }));
      if (made !== null) go(made.id);
    },
    forkInto: (turnId) => set({ forkTurn: turnId, overlay: 'fork' }),
    editFrom: (id, turnId, { text, images = [] }) => {
      const { entries } = get().view;
      const turns = turnsFrom(entries, turnId);
      const toEdit = { conversationId: id, text, images };
      set({ isShellMode: false, toEdit, editing: { conversationId: id, turnId, turns } });
    },
    cancelEdit: () => set({ editing: null }),
    revert: async (id, beforeTurnId) => {
      const done = await said(call('revertConversation', { id, before_turn_id: beforeTurnId }));
      if (done !== null) set({ editing: null });
      return done !== null;
    },
    toggleForgotten: (noteSeq) => {
      const unfolded = new Set(get().unfolded);
      if (!unfolded.delete(noteSeq)) unfolded.add(noteSeq);
      set({ unfolded });
    },
    openKept: async (id) => {
      if (get().list.get(id)?.archived !== false) await said(call('unarchiveConversation', { id }));
      go(id);
    },
    compact: async (id) => {
      await said(call('compact', { conversation_id: id }));
    },
    recover: async (id) => (await said(call('recoverConversation', { id }))) !== null,
    review: async (id, target) => (await said(call('reviewConversation', { id, target }))) !== null,
  };
}

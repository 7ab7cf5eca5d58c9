/** Finding text and going to where it stands, however far from the end. */
import type { ConversationId } from '../../contract/ids.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import type { ServerFrame } from '../../contract/ui-event.ts';
import { prependPage } from '../../core/conversations/reduce.ts';
import { deriveTranscript, EMPTY_TRANSCRIPT } from '../transcript/rows.ts';
import type { Call } from './call.ts';
import { joinEntries, keyOfSeq } from './past.ts';
import type { AppStore } from './store.ts';

export type Found = RouteOutput<'search'>;

export interface FindCommands {
  /** Null when the server could not be asked. */
  findText(q: string, where: { readonly id?: ConversationId; readonly before?: string }): Promise<Found | null>;
  setFinding(isFinding: boolean): void;
  setSought(text: string): void;
  /** Brings an entry of the open conversation into view; false when it cannot be had. */
  jumpTo(seq: number, word?: number): Promise<boolean>;
  /** The same in any conversation; goes there first. */
  goToEntry(id: ConversationId, seq: number, sought?: string): void;
  /** The same for a conversation that is being opened, or is open. */
  seekEntry(id: ConversationId, seq: number): void;
  loadOlder(): Promise<void>;
  /** After a jump: the page below what is shown. */
  loadNewer(): Promise<void>;
  /** Back to the live window; nothing when it is shown already. */
  leavePast(): void;
  noticeSync(frames: readonly ServerFrame[]): void;
}

const PAGE = 100;
const HITS = 50;
/** As many before the entry as after it; together fewer rows than the list mounts at once. */
const AROUND = 40;

export function createFindCommands(store: AppStore, call: Call, go: (id: ConversationId) => void): FindCommands {
  const get = store.getState;
  const set = store.setState;
  let wanted: { readonly id: ConversationId; readonly seq: number; readonly sought: string } | null = null;
  let isLoadingNewer = false;

  async function jumpTo(seq: number, word = 0): Promise<boolean> {
    const { openId, transcript, jump } = get();
    if (openId === null) return false;
    const count = (jump?.count ?? 0) + 1;
    const here = hasSeq(get().past?.entries ?? get().view.entries, seq) ? keyOfSeq(transcript, seq) : null;
    if (here !== null && isMounted(here)) {
      set({ follow: 'free', lastSeenKey: get().lastSeenKey ?? transcript.keys.at(-1) ?? null });
      set({ jump: { count, seq, word, key: here, isRemount: false } });
      return true;
    }
    const page = await call('transcriptRange', {
      aliases: 'false',
      conversation_id: openId,
      before: seq + AROUND,
      limit: 2 * AROUND,
    });
    if (!page.ok || get().openId !== openId || !hasSeq(page.value.entries, seq)) return false;
    const { entries, has_more } = page.value;
    const shown = deriveTranscript(EMPTY_TRANSCRIPT, entries, NOTHING_LIVE, 'part');
    const key = keyOfSeq(shown, seq);
    if (key === null) return false;
    set((state) => ({
      past: { entries, liveHasMore: state.past?.liveHasMore ?? state.hasMore },
      transcript: shown,
      hasMore: has_more,
      isPaging: false,
      follow: 'free',
      lastSeenKey: null,
      jump: { count, seq, word, key, isRemount: true },
    }));
    return true;
  }

  /** With the find bar open at the text that led there. */
  function goThere(seq: number, sought: string): void {
    if (sought !== '') set({ isFinding: true, sought });
    void jumpTo(seq);
  }

  return {
    jumpTo,
    findText: async (q, { id, before }) => {
      const found = await call('search', {
        q,
        limit: HITS,
        ...(id !== undefined && { conversation_id: id }),
        ...(before !== undefined && { before }),
      });
      return found.ok ? found.value : null;
    },
    setFinding: (isFinding) => set({ isFinding, sought: '' }),
    setSought: (sought) => set({ sought }),
    goToEntry: (id, seq, sought = '') => {
      if (get().openId === id) goThere(seq, sought);
      else {
        wanted = { id, seq, sought };
        go(id);
      }
    },
    seekEntry: (id, seq) => {
      if (get().view.isSynchronized && get().openId === id) void jumpTo(seq);
      else wanted = { id, seq, sought: '' };
    },
    noticeSync: (frames) => {
      const goal = wanted;
      if (goal === null || !frames.some((one) => one.type === 'synchronized' && one.conversation_id === goal.id))
        return;
      wanted = null;
      if (get().openId === goal.id) goThere(goal.seq, goal.sought);
    },
    loadOlder: async () => {
      const { openId, view, past, hasMore, isPaging, jump } = get();
      const before = (past ?? view).entries[0]?.seq;
      if (openId === null || before === undefined || !hasMore || isPaging) return;
      set({ isPaging: true });
      const page = await call('transcriptRange', { aliases: 'false', conversation_id: openId, before, limit: PAGE });
      if (get().openId !== openId || get().jump?.count !== jump?.count) return;
      if (!page.ok) {
        set({ isPaging: false });
        return;
      }
      const now = get();
      const common = { hasMore: page.value.has_more, isPaging: false };
      if (now.past !== null) {
        const entries = joinEntries(page.value.entries, now.past.entries) ?? now.past.entries;
        set({ ...common, past: { ...now.past, entries }, transcript: derive(entries) });
        return;
      }
      const next = prependPage(now.view, page.value.entries);
      set({ ...common, view: next, transcript: deriveTranscript(now.transcript, next.entries, next.live) });
    },
    loadNewer: async () => {
      const { openId, past, jump } = get();
      const after = past?.entries.at(-1)?.seq;
      if (openId === null || after === undefined || isLoadingNewer) return;
      isLoadingNewer = true;
      const page = await call('transcriptRange', { aliases: 'false', conversation_id: openId, after, limit: PAGE });
      isLoadingNewer = false;
      const now = get();
      if (!page.ok || now.openId !== openId || now.past === null || now.jump?.count !== jump?.count) return;
      const entries = [...now.past.entries, ...page.value.entries.filter((entry) => entry.seq > after)];
      const joined = joinEntries(entries, now.view.entries);
      if (joined === null) {
        set({ past: { ...now.past, entries }, transcript: derive(entries) });
        return;
      }
      const view = { ...now.view, entries: joined };
      set({ past: null, view, transcript: deriveTranscript(now.transcript, joined, view.live) });
    },
    leavePast: () => {
      const { past, view, jump } = get();
      if (past === null) return;
      set({
        past: null,
        hasMore: past.liveHasMore,
        transcript: deriveTranscript(EMPTY_TRANSCRIPT, view.entries, view.live),
        jump: jump === null ? null : { ...jump, count: jump.count + 1, isRemount: true, key: '' },
      });
    },
  };

  function derive(entries: Parameters<typeof deriveTranscript>[1]) {
    return deriveTranscript(get().transcript, entries, NOTHING_LIVE, 'part');
  }
}

const NOTHING_LIVE = EMPTY_TRANSCRIPT.source.live;

function hasSeq(entries: readonly { readonly seq: number }[], seq: number): boolean {
  return entries.some((entry) => entry.seq === seq);
}

function isMounted(key: string): boolean {
  return document.querySelector(`[data-key="${CSS.escape(key)}"]`) !== null;
}

/** Puts the page's state together: store, socket, calls. One per page; components reach it through `use-app.ts`. */
import { ROUTE_TABLE } from 'virtual:routes';
import type { ConversationId } from '../../contract/ids.ts';
import type { ServerFrame } from '../../contract/ui-event.ts';
import { isDelta } from '../../core/conversations/live.ts';
import { EMPTY_VIEW } from '../../core/conversations/reduce.ts';
import { MIN_TWO_PANES } from '../drawer/drawer-width.ts';
import { panelOfPath } from '../drawer/panels.tsx';
import { type Place, parsePlace, renderPlace } from '../route.ts';
import { deriveTranscript, EMPTY_TRANSCRIPT } from '../transcript/rows.ts';
import { createAskPerson } from './access-commands.ts';
import { createCall } from './call.ts';
import { createCommands } from './commands.ts';
import { withConfirmation } from './confirm-calls.ts';
import { createConnection } from './connection.ts';
import { foldFrames } from './fold.ts';
import { createFrameBatch } from './frame-batch.ts';
import { followLook } from './look.ts';
import { pageSession } from './page-session.ts';
import { spokenBy } from './speech.ts';
import { type AppState, CLOSED_CONVERSATION, createAppStore } from './store.ts';
import type { App, PanePort } from './use-app.ts';

/** Conversations whose picture is kept after leaving them, to be there at once when one comes back. */
const MAX_KEPT_VIEWS = 6;

type Kept = Pick<AppState, 'view' | 'hasMore' | 'meta'>;

export function createApp(): App {
  const store = createAppStore();
  followLook(store);
  const kept = new Map<ConversationId, Kept>();
  let beside: PanePort | null = null;
  const signOut = () => store.setState({ link: 'signed_out' });
  const plain = createCall({ table: ROUTE_TABLE, fetch: pageSession.fetch, onSignedOut: signOut });
  const call = withConfirmation(plain, createAskPerson(store));
  const commands = createCommands(store, call);

  const batch = createFrameBatch<ServerFrame>((frames) => {
    const before = store.getState();
    const after = foldFrames(before, frames);
    const spoken = spokenBy(before, frames);
    store.setState(spoken === null ? after : { ...after, spoken });
    commands.noticeFrames(frames);
    beside?.take(frames);
  }, isDelta);

  const connection = createConnection({
    path: '/ws/appserver',
    protocols: pageSession.socketProtocols,
    onFrame: batch.push,
    onState: (link) => {
      batch.flush();
      store.setState((state) => ({ link, view: { ...state.view, isSynchronized: false } }));
      beside?.onLink(link);
      if (link === 'open') void commands.refresh();
    },
    cursors: () => {
      const { openId, view } = store.getState();
      const after = view === EMPTY_VIEW || view.lastSeq === 0 ? null : view.lastSeq;
      return [...(openId === null ? [] : [{ conversationId: openId, after }]), ...(beside ? [beside.cursor()] : [])];
    },
    isSignedOut: async () => {
      const session = await call('session', {});
      return !session.ok && session.error.code === 'unauthorized';
    },
  });

  function visit(): void {
    const { conversationId, at } = parsePlace(location.hash);
    batch.flush();
    const before = store.getState();
    const { openId, isBesideFocused } = before;
    const isBeside = conversationId !== null && conversationId === before.beside;
    if (conversationId !== null && openId !== null && innerWidth >= MIN_TWO_PANES) {
      if (isBeside || (isBesideFocused && at === undefined)) {
        // The address names the first conversation.
        history.replaceState(null, '', renderPlace({ conversationId: openId }));
        commands.setBeside(conversationId);
        return;
      }
    } else if (isBeside) commands.setBeside(null);
    if (conversationId === before.openId) {
      if (at !== undefined) showPlace(conversationId, at);
      return;
    }
    if (before.openId !== null) keep(before.openId, { ...before, hasMore: before.past?.liveHasMore ?? before.hasMore });
    const known = conversationId === null ? undefined : kept.get(conversationId);
    // A new conversation begins in the project that was open, unless another one was asked for.
    const left = before.openId === null ? undefined : before.list.get(before.openId)?.cwd;
    store.setState({
      ...CLOSED_CONVERSATION,
      overlay: 'none',
      openId: conversationId,
      newCwd: conversationId === null ? (before.newCwd ?? left ?? null) : null,
      ...(known !== undefined && {
        ...known,
        openState: 'ready',
        transcript: deriveTranscript(EMPTY_TRANSCRIPT, known.view.entries, known.view.live),
      }),
    });
    if (at !== undefined) showPlace(conversationId, at);
    connection.refollow();
    if (conversationId !== null) void commands.readMeta();
  }

  /** What the address names in the conversation: an event in the drawer, or an entry once the transcript is there. */
  function showPlace(id: ConversationId | null, { kind, seq }: NonNullable<Place['at']>): void {
    if (kind === 'event') commands.showEvents(seq);
    else if (id !== null) commands.seekEntry(id, seq);
  }

  function keep(id: ConversationId, { view, hasMore, meta }: Kept): void {
    kept.delete(id);
    if (view.lastSeq > 0) kept.set(id, { view: { ...view, isSynchronized: false }, hasMore, meta });
    const oldest = kept.keys().next();
    if (kept.size > MAX_KEPT_VIEWS && !oldest.done) kept.delete(oldest.value);
  }

  addEventListener('hashchange', visit);
  addEventListener('online', connection.nudge);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') connection.nudge();
    commands.markRead();
  });
  const panel = panelOfPath(location.pathname);
  if (panel !== null) commands.setDevice({ drawer: panel });
  visit();
  function attach(pane: PanePort): () => void {
    beside = pane;
    connection.refollow();
    return () => {
      beside = null;
      connection.refollow();
    };
  }

  return { store, commands, call, attach };
}

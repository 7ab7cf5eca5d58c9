/** A second conversation of the page: a store and commands of its own, on the page's socket. */
import type { ConversationId } from '../../contract/ids.ts';
import type { ServerFrame } from '../../contract/ui-event.ts';
import { EMPTY_VIEW } from '../../core/conversations/reduce.ts';
import { createCommands } from '../state/commands.ts';
import { foldFrames } from '../state/fold.ts';
import { spokenBy } from '../state/speech.ts';
import type { App } from '../state/use-app.ts';
import { createPaneStore } from './pane-store.ts';

export interface Pane {
  readonly app: App;
  close(): void;
}

export function createPane(page: App, id: ConversationId): Pane {
  const store = createPaneStore(page.store, id);
  /** What is not of this conversation opens in the first pane. */
  const first = page.commands;
  const goFirst = () => page.store.setState({ isBesideFocused: false });
  const go = (next: ConversationId | null) => {
    if (next === null) first.setBeside(null);
    else if (next === page.store.getState().openId) goFirst();
    else first.go(next);
  };
  const own = createCommands(store, page.call, go);
  const commands: App['commands'] = {
    ...own,
    setBeside: first.setBeside,
    startNew: (cwd) => {
      goFirst();
      first.startNew(cwd ?? page.store.getState().list.get(id)?.cwd);
    },
    goToEntry: (to, seq, sought) => {
      if (to === id) return own.goToEntry(to, seq, sought);
      goFirst();
      first.goToEntry(to, seq, sought);
    },
  };
  const take = (frames: readonly ServerFrame[]) => {
    if (frames.some((frame) => frame.type === 'conversation' && 'deleted' in frame && frame.deleted === id)) {
      first.setBeside(null);
      return;
    }
    const mine = frames.filter((frame) => isOf(frame, id));
    if (mine.length === 0) return;
    const before = store.getState();
    const spoken = spokenBy(before, mine);
    const after = foldFrames(before, mine);
    store.setState(spoken === null ? after : { ...after, spoken });
    own.noticeFrames(mine);
  };
  const detach = page.attach({
    cursor: () => {
      const { view } = store.getState();
      return { conversationId: id, after: view === EMPTY_VIEW || view.lastSeq === 0 ? null : view.lastSeq };
    },
    take,
    onLink: (link) => {
      store.setState((state) => ({ view: { ...state.view, isSynchronized: false } }));
      if (link === 'open') void own.readMeta();
    },
  });
  const markRead = () => own.markRead();
  document.addEventListener('visibilitychange', markRead);
  void own.readMeta();
  return {
    app: { ...page, store, commands },
    close() {
      document.removeEventListener('visibilitychange', markRead);
      detach();
      store.detach();
    },
  };
}

function isOf(frame: ServerFrame, id: ConversationId): boolean {
  if (frame.type === 'conversation') return 'conversation' in frame && frame.conversation.id === id;
  if (frame.type === 'notification') return frame.params.conversation_id === id;
  return 'conversation_id' in frame && frame.conversation_id === id;
}

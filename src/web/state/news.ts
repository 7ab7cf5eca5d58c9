/** What the page reads again, or marks as read, when it hears of something: a moment later, so that a burst is answered once. */
import type { ServerFrame } from '../../contract/ui-event.ts';
import type { Call } from './call.ts';
import type { AppStore } from './store.ts';

export interface News {
  noticeFrames(frames: readonly ServerFrame[]): void;
  /** Read means: at the end, in view, for a moment. */
  markRead(): void;
}

interface NewsPorts {
  readonly store: AppStore;
  readonly call: Call;
  readMeta(): Promise<void>;
  readModels(): Promise<void>;
  readAccount(): Promise<void>;
  countBoard(): Promise<void>;
  readLogins(): Promise<void>;
  readCheckpoints(): Promise<void>;
  noticeSync(frames: readonly ServerFrame[]): void;
}

const READ_DELAY_MS = 600;
const META_DELAY_MS = 120;
/** Agents may write quickly; a count may lag. */
const BOARD_DELAY_MS = 300;

export function createNews(ports: NewsPorts): News {
  const { store, call } = ports;
  const readMetaSoon = delayed(META_DELAY_MS, () => void ports.readMeta());
  const countBoardSoon = delayed(BOARD_DELAY_MS, () => void ports.countBoard());
  const markRead = delayed(READ_DELAY_MS, () => {
    const { openId, view, follow, list } = store.getState();
    if (openId === null || follow === 'free' || document.visibilityState === 'hidden') return;
    if (view.lastSeq > (list.get(openId)?.read_seq ?? 0)) void call('markRead', { id: openId, seq: view.lastSeq });
  });

  const noticeCodex = () => {
    const { models, account, codex } = store.getState();
    if (codex?.state !== 'ready') return;
    // Another account may have other models.
    const isOther = account === null || account.demo !== codex.demo;
    if (models.length === 0 || isOther) void ports.readModels();
    if (isOther) void ports.readAccount();
  };

  return {
    markRead,
    noticeFrames(frames) {
      const hasType = (type: ServerFrame['type']) => frames.some((one) => one.type === type);
      if (isOfOpen(frames, store.getState().openId)) readMetaSoon();
      if (hasType('server_status')) noticeCodex();
      if (hasType('account')) void ports.readAccount();
      if (hasType('logins')) void ports.readLogins();
      if (hasType('schedules')) store.setState(({ schedules }) => ({ schedules: schedules + 1 }));
      if (hasType('board_news')) countBoardSoon();
      if (frames.some(isOfCheckpoints)) void ports.readCheckpoints();
      ports.noticeSync(frames);
      markRead();
    },
  };
}

function isOfOpen(frames: readonly ServerFrame[], openId: string | null): boolean {
  return frames.some((one) => one.type === 'conversation' && 'conversation' in one && one.conversation.id === openId);
}

/** A page that was away may have missed the news. */
function isOfCheckpoints(frame: ServerFrame): boolean {
  return frame.type === 'sync' || (frame.type === 'changes' && frame.of === 'checkpoints');
}

/** Does it once, when it was last asked for so long ago. */
function delayed(ms: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, ms);
  };
}

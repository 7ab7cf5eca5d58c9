/** How the page calls for attention when it is not in view: title, favicon, and a notice if allowed. */
import { useEffect, useRef } from 'react';
import type { ConversationRow } from '../../contract/conversation.ts';
import { renderPlace } from '../route.ts';
import { useApp, useCommands, useGetState } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showName } from '../transcript/ansi.ts';
import { projectName } from './format.ts';
import { mayNotify, notify, playChime } from './notice.ts';
import { countWaiting, newlyWaiting, totalOf } from './waiting.ts';

const LAMPS = { idle: '#8b93a1', running: '#8a63f0', waiting: '#d8a029', failed: '#f4605a' } as const;

export function Attention(): null {
  const logins = useApp((state) => state.logins.length);
  const waiting = useApp((state) => totalOf(countWaiting(state))) + logins;
  const isRunning = useApp((state) => [...state.list.values()].some((row) => row.state === 'running'));
  const name = useApp((state) => {
    const row = state.openId === null ? undefined : state.list.get(state.openId);
    return showName(nameOf(row));
  });
  const getState = useGetState();

  useEffect(() => {
    document.title = name === en.product && waiting === 0 ? en.product : en.title(waiting, name.slice(0, 60));
  }, [name, waiting]);

  const lamp = waiting > 0 ? 'waiting' : isRunning ? 'running' : 'idle';
  useEffect(() => setFavicon(LAMPS[lamp], waiting), [lamp, waiting]);

  const commands = useCommands();
  const missed = useRef(false);
  const before = useRef({ waiting, isRunning, byConversation: countWaiting(getState()) });
  useEffect(() => {
    const was = before.current;
    const byConversation = countWaiting(getState());
    before.current = { waiting, isRunning, byConversation };
    const wantsPerson = waiting > was.waiting || (was.isRunning && !isRunning);
    if (!wantsPerson || isInView()) return;
    const { device, view, page, openId, list } = getState();
    if (!(waiting > was.waiting ? page.notices.asks : page.notices.ends)) return;
    missed.current = true;
    if (!device.notify) return;
    if (device.sound) playChime();
    const id = newlyWaiting(was.byConversation, byConversation);
    const asked = id !== null && id === openId ? view.live.approvals.at(-1)?.title : undefined;
    const title = logins > 0 ? en.newLogin.waiting : showName(asked ?? nameOf(id === null ? undefined : list.get(id)));
    const place = id === null ? undefined : renderPlace({ conversationId: id });
    notify(waiting > was.waiting ? en.notify.waiting(title) : en.notify.done(name), place);
  }, [waiting, logins, isRunning, name, getState]);

  const alarm = useApp((state) => state.alarm);
  useEffect(() => {
    const { device, list, page } = getState();
    if (alarm === null || isInView() || !page.notices.events) return;
    missed.current = true;
    if (!device.notify) return;
    if (device.sound) playChime();
    const row = list.get(alarm.conversationId);
    const from = showName(row?.label ?? row?.preview ?? en.product);
    const place = { conversationId: alarm.conversationId, at: { kind: 'event', seq: alarm.eventSeq } } as const;
    notify(en.notify.event(from, showName(alarm.title)), renderPlace(place));
  }, [alarm, getState]);

  // Offered once, when it would have been of use: Codex waited or was done while nobody looked.
  useEffect(() => {
    const offer = () => {
      if (!isInView() || !missed.current || getState().device.wasAskedToNotify) return;
      if (typeof Notification === 'undefined' || Notification.permission === 'denied') return;
      commands.setDevice({ wasAskedToNotify: true });
      const run = () => void mayNotify().then((isAllowed) => commands.setDevice({ notify: isAllowed }));
      commands.toast({ text: en.notify.offer, tone: 'plain', action: { label: en.notify.yes, run } });
    };
    document.addEventListener('visibilitychange', offer);
    addEventListener('focus', offer);
    return () => {
      document.removeEventListener('visibilitychange', offer);
      removeEventListener('focus', offer);
    };
  }, [commands, getState]);
  return null;
}

/** In view means: shown and in front. */
function isInView(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus();
}

function nameOf(row: ConversationRow | undefined): string {
  if (row === undefined) return en.product;
  return row.label ?? (row.preview === '' ? projectName(row.cwd) : row.preview);
}

function setFavicon(color: string, count: number): void {
  const badge =
    count === 0
      ? ''
      : "<circle cx='23' cy='9' r='9' fill='%23d8a029'/>" +
        "<text x='23' y='14' font-size='14' font-family='sans-serif' font-weight='700' text-anchor='middle'>" +
        `${count > 9 ? '9' : count}</text>`;
  const svg =
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>" +
    "<rect x='8' y='1' width='16' height='30' rx='8' fill='%231b1f27' stroke='%23727a89'/>" +
    "<circle cx='16' cy='10' r='4.5' fill='%233a4150'/>" +
    `<circle cx='16' cy='22' r='4.5' fill='${color.replace('#', '%23')}'/>${badge}</svg>`;
  const known = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const link = known ?? document.head.appendChild(Object.assign(document.createElement('link'), { rel: 'icon' }));
  link.href = `data:image/svg+xml,${svg}`;
}

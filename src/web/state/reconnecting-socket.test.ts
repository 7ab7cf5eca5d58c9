/** When the page's sockets come back after a cut, and what they report. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type AfterClose, openReconnectingSocket } from './reconnecting-socket.ts';

class BrowserSocket {
  static readonly OPEN = 1;
  static readonly made: BrowserSocket[] = [];
  readyState = 0;
  readonly sent: string[] = [];
  onopen = (): void => undefined;
  onmessage = (_message: { data: string }): void => undefined;
  onclose = (_close: { code: number }): void => undefined;
  readonly url: string;
  readonly protocols: readonly string[];
  constructor(url: string, protocols: readonly string[]) {
    this.url = url;
    this.protocols = protocols;
    BrowserSocket.made.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  /** As in a browser, the close event comes later. */
  close(): void {
    this.readyState = 2;
  }
  opens(): void {
    this.readyState = BrowserSocket.OPEN;
    this.onopen();
  }
  ends(code = 1006): void {
    this.readyState = 3;
    this.onclose({ code });
  }
}

const PROTOCOLS = ['signalbox', 'signalbox.proof.x'];
const newest = (): BrowserSocket => BrowserSocket.made.at(-1) ?? expect.fail('no socket was opened');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('WebSocket', BrowserSocket);
  vi.stubGlobal('location', { protocol: 'https:', host: 'box.example' });
  BrowserSocket.made.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The first socket is there once its proof is. */
async function open(
  afterClose?: (code: number) => Promise<AfterClose>,
  protocols: (hasLost?: boolean) => Promise<string[] | null> = async () => PROTOCOLS,
) {
  const heard: string[] = [];
  let cursor = 0;
  const socket = openReconnectingSocket({
    path: () => `/ws?after=${cursor}`,
    protocols,
    onOpen: () => heard.push('open'),
    onText: (text) => {
      cursor += 1;
      heard.push(text);
    },
    onLost: () => heard.push('lost'),
    ...(afterClose !== undefined && { afterClose }),
  });
  await vi.advanceTimersByTimeAsync(0);
  return { socket, heard };
}

test('it reconnects with its cursor, waits longer after each failure, and never a second', async () => {
  const { heard } = await open();
  expect(newest().protocols).toBe(PROTOCOLS);
  expect(newest().url).toBe('wss://box.example/ws?after=0');
  newest().opens();
  newest().onmessage({ data: 'hello' });
  for (const delayMs of [100, 200, 400, 800, 900, 900]) {
    const before = BrowserSocket.made.length;
    newest().ends();
    await vi.advanceTimersByTimeAsync(delayMs - 1);
    expect(BrowserSocket.made.length).toBe(before);
    await vi.advanceTimersByTimeAsync(1);
    expect(BrowserSocket.made.length).toBe(before + 1);
  }
  expect(newest().url).toBe('wss://box.example/ws?after=1');
  expect(heard).toEqual(['open', 'hello', 'lost', 'lost', 'lost', 'lost', 'lost', 'lost']);
  newest().opens();
  newest().ends();
  await vi.advanceTimersByTimeAsync(100);
  expect(BrowserSocket.made.length).toBe(8);
});

test('it sends only while it is open', async () => {
  const { socket } = await open();
  socket.send({ type: 'early' });
  newest().opens();
  socket.send({ type: 'follow' });
  expect([newest().sent, socket.isOpen()]).toEqual([['{"type":"follow"}'], true]);
  newest().ends();
  socket.send({ type: 'late' });
  expect([newest().sent.length, socket.isOpen()]).toEqual([1, false]);
});

test('a nudge ends the wait and leaves an attempt that is under way alone', async () => {
  const { socket } = await open();
  socket.nudge();
  expect(BrowserSocket.made.length).toBe(1);
  newest().ends();
  socket.nudge();
  await vi.advanceTimersByTimeAsync(0);
  expect(BrowserSocket.made.length).toBe(2);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(BrowserSocket.made.length).toBe(2);
});

test('the close code decides whether and when it reconnects', async () => {
  const { heard } = await open(async (code) => (code === 4001 ? 'give_up' : code === 4008 ? 'reconnect' : 'wait'));
  newest().ends(4008);
  await vi.advanceTimersByTimeAsync(0);
  expect([BrowserSocket.made.length, heard]).toEqual([2, ['lost']]);
  newest().ends(4001);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([BrowserSocket.made.length, heard]).toEqual([2, ['lost']]);
});

test('nothing is reported or opened after close, also not by a decision that was under way', async () => {
  const decisions: ((after: AfterClose) => void)[] = [];
  const { socket, heard } = await open(() => new Promise((resolve) => decisions.push(resolve)));
  newest().ends();
  socket.close();
  for (const decide of decisions) decide('wait');
  await vi.advanceTimersByTimeAsync(10_000);
  expect([BrowserSocket.made.length, heard]).toEqual([1, []]);

  const other = await open();
  newest().opens();
  other.socket.close();
  newest().onmessage({ data: 'late' });
  newest().ends();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([BrowserSocket.made.length, other.heard]).toEqual([2, ['open']]);
});

test('without a proof nothing is opened, and it tries again; after a loss it asks for a new one', async () => {
  const asked: boolean[] = [];
  const { heard } = await open(undefined, async (hasLost?: boolean) => {
    asked.push(hasLost === true);
    return asked.length === 1 ? null : PROTOCOLS;
  });
  expect([BrowserSocket.made.length, heard]).toEqual([0, ['lost']]);
  await vi.advanceTimersByTimeAsync(100);
  expect(BrowserSocket.made.length).toBe(1);
  newest().opens();
  newest().ends();
  await vi.advanceTimersByTimeAsync(100);
  expect(asked).toEqual([false, true, true]);
});

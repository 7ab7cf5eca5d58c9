/** `events tail`: events of a thread as they come, until Ctrl-C. A server that is started again is found again, and nothing is missed or told twice. */
import { type Failure, fail, ok, type Result } from '../contract/result.ts';
import { isRecord } from '../core/text/is-record.ts';
import { parseJson } from '../core/text/parse-json.ts';
import { systemClock as clock } from '../node/clock.ts';
import { createSerial } from '../node/serial.ts';
import { type Client, connect } from './client.ts';
import { pickThread, renderEvent } from './events.ts';
import { EXIT_INTERRUPTED } from './exit-codes.ts';
import type { Output } from './output.ts';
import { openSocket, type Socket } from './websocket.ts';

/** Events asked for at once. */
const PAGE = 500;
/** How often a server that has gone is looked for. */
const LOOK_MS = 500;

interface TailOptions {
  readonly thread: string;
  readonly last: number;
}

export async function tailEvents(out: Output, home: string, first: Client, options: TailOptions): Promise<number> {
  const thread = await pickThread(first, options.thread);
  if (!thread.ok) return out.fail(thread.error);
  const show = createShow(out, thread.value);
  const begun = await show.begin(first, options.last);
  if (!begun.ok) return out.fail(begun.error);
  const stopped = new AbortController();
  const ended = new Promise<number>((resolve) => {
    process.once('SIGINT', () => resolve(EXIT_INTERRUPTED));
    process.once('SIGTERM', () => resolve(0));
  });
  const followed = followAll(out, home, first, thread.value, show, stopped.signal);
  const ending = await Promise.race([ended, followed]);
  stopped.abort();
  await show.drain();
  return typeof ending === 'number' ? ending : out.fail(ending);
}

/** Over as many servers as there are; ends with a failure that waiting does not mend. */
async function followAll(
  out: Output,
  home: string,
  first: Client,
  threadId: string,
  show: Show,
  signal: AbortSignal,
): Promise<Failure> {
  for (let client = first; ; ) {
    const { code, message } = await follow(client, threadId, show, signal);
    if (code !== 'not_running') return { code, message };
    if (signal.aborted) return { code, message };
    out.say('the server has gone: waiting for it to come back');
    client = await findAgain(home, signal, client);
    if (!signal.aborted) out.say('the server is back');
  }
}

async function findAgain(home: string, signal: AbortSignal, before: Client): Promise<Client> {
  for (;;) {
    const found = connect(home);
    if (found.ok && (await found.value.call('health', {})).ok) return found.value;
    if (signal.aborted) return before;
    await clock.sleep(LOOK_MS, signal);
  }
}

function follow(client: Client, threadId: string, show: Show, signal: AbortSignal): Promise<Failure> {
  return new Promise((resolve) => {
    let socket: Socket | null = null;
    const end = (failure: Failure) => {
      socket?.close();
      resolve(failure);
    };
    const showNew = () =>
      void show.more(client).then((shown) => {
        if (!shown.ok) end(shown.error);
      });
    signal.addEventListener('abort', () => end({ code: 'not_running', message: 'stopped' }));
    void openSocket(client.server, '/ws/appserver', {
      onText(text) {
        if (isNews(parseJson(text), threadId)) showNew();
      },
      onClose: () => end({ code: 'not_running', message: 'the server has gone' }),
    }).then((opened) => {
      if (!opened.ok) return end(opened.error);
      socket = opened.value;
      // What came between the last look and the open socket.
      showNew();
    });
  });
}

interface Show {
  begin(client: Client, last: number): Promise<Result<null>>;
  more(client: Client): Promise<Result<null>>;
  drain(): Promise<void>;
}

/** One look at a time, each from where the one before has come to. */
function createShow(out: Output, threadId: string): Show {
  let after = 0;
  const showing = createSerial();
  const showMore = async (client: Client): Promise<Result<null>> => {
    for (;;) {
      const page = await client.call('listEvents', { thread_id: threadId, after, limit: PAGE });
      if (!page.ok) return page;
      for (const event of page.value.events) {
        after = event.event_seq;
        if (out.isJson) await out.json(event);
        else await out.print(...renderEvent(event));
      }
      if (!page.value.has_more) return ok(null);
    }
  };
  return {
    async begin(client, last) {
      const newest = await client.call('listEvents', { thread_id: threadId, limit: last + 1 });
      if (!newest.ok) return newest;
      const { events } = newest.value;
      // With as many as were asked for there is one before them.
      after = events.length > last ? (events[0]?.event_seq ?? 0) : 0;
      return last > 0 ? showMore(client) : ok(null);
    },
    more: (client) => showing.run(() => showMore(client)).catch((error: unknown) => fail('internal', String(error))),
    drain: showing.idle,
  };
}

function isNews(frame: unknown, threadId: string): boolean {
  if (!isRecord(frame) || frame.type !== 'notification' || frame.method !== 'externalEvent/received') return false;
  return isRecord(frame.params) && frame.params.thread_id === threadId;
}

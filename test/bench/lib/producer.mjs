/**
 * Speaks just enough of the app-server's protocol over a pipe to play a turn at an exact pace: the real Codex cannot be
 * paced from outside. A message `{"paced": n}` or `{"flood": n}` says what the turn is to be. Every delta carries the
 * moment it was written, so that whoever reads it knows how long it took.
 */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PRODUCER = fileURLToPath(import.meta.url);

/** 24 bytes, like the deltas of the bridge bench: `@` and microseconds of the clock that all processes share. */
const STAMP_CHARS = 24;
export const nowUs = () => Number(process.hrtime.bigint() / 1000n);
const stamp = () => `@${String(nowUs())}`.padEnd(STAMP_CHARS, '.');
export const stampsOf = (text) => (text.match(/@\d+/g) ?? []).map((one) => Number(one.slice(1)));

/** A turn of deltas at 1,000 a second has an approval this often. */
const APPROVAL_EVERY = 100;

/** To be given as `--codex-bin`. It does not know `--listen`, so it is talked to over a pipe. */
export function writeProducer(dir) {
  const path = join(dir, 'producer');
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${PRODUCER}' "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

function main() {
  if (process.argv.includes('--help') || process.argv.includes('--version')) {
    process.stdout.write('producer 0.166.0 app-server\n');
    return;
  }
  let threads = 0;
  const write = (message) => process.stdout.write(`${JSON.stringify({ ...message, emittedAtMs: Date.now() })}\n`);
  const notify = (method, params) => write({ method, params });

  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === undefined || id === undefined) return;
    switch (method) {
      case 'initialize':
        write({
          id,
          result: { userAgent: 'producer/0.166.0', codexHome: '/', platformFamily: 'unix', platformOs: 'linux' },
        });
        break;
      case 'thread/start': {
        const thread = { id: `thread-${++threads}`, preview: '', cwd: params.cwd, turns: [], status: { type: 'idle' } };
        write({ id, result: { thread, model: 'none', modelProvider: 'none', cwd: params.cwd } });
        break;
      }
      case 'turn/start':
        if (String(params.threadId).startsWith('thread-')) playTurn(id, params);
        else write({ id, error: { code: -32600, message: `thread not found: ${params.threadId}` } });
        break;
      default:
        write({ id, result: { data: [], nextCursor: null } });
    }
  });

  function playTurn(id, { threadId, input }) {
    const turnId = `turn-${nowUs()}`;
    const place = { threadId, turnId };
    const turn = { id: turnId, items: [], status: 'inProgress', error: null };
    const plan = parse(input[0].text);
    write({ id, result: { turn } });
    notify('turn/started', { threadId, turn });
    const item = { type: 'agentMessage', id: `item-${turnId}`, text: '' };
    notify('item/started', { ...place, item });
    const delta = () => notify('item/agentMessage/delta', { ...place, itemId: item.id, delta: stamp() });
    const finish = () => {
      notify('item/completed', { ...place, item: { ...item, text: `done ${stamp()}` } });
      notify('turn/completed', { threadId, turn: { ...turn, status: 'completed' } });
    };
    if (plan.paced !== undefined) pace(plan.paced, { delta, finish, place });
    else flood(plan.flood ?? 1, { delta, finish });
  }

  /** A thousand a second, as exactly as timers allow; what a late timer missed is made up for, with its own stamp. */
  function pace(count, { delta, finish, place }) {
    const fromUs = nowUs();
    let made = 0;
    const step = () => {
      const due = Math.min(count, Math.floor((nowUs() - fromUs) / 1000));
      while (made < due) {
        made += 1;
        delta();
        if (made % APPROVAL_EVERY === 0) ask(made, place);
      }
      if (made < count) setTimeout(step, 1);
      else finish();
    };
    step();
  }

  /** Right behind a delta, when held-back text is most likely. Withdrawn when the next one is due. */
  function ask(requestId, place) {
    const itemId = `command-${requestId}`;
    write({
      id: requestId,
      method: 'item/commandExecution/requestApproval',
      params: { ...place, itemId, startedAtMs: Date.now(), command: `true ${stamp()}`, cwd: '/', reason: null },
    });
    setTimeout(() => notify('serverRequest/resolved', { threadId: place.threadId, requestId }), APPROVAL_EVERY / 2);
  }

  /** As fast as the pipe takes it. */
  function flood(count, { delta, finish }) {
    let made = 0;
    const step = () => {
      while (made < count) {
        made += 1;
        delta();
        if (process.stdout.writableNeedDrain) return void process.stdout.once('drain', step);
      }
      finish();
    };
    step();
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

if (process.argv[1] === PRODUCER) main();

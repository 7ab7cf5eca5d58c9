/** Peers that send too much or do not read: a 50 MB line, floods of output, a client that stalls. The old-protocol peer here is a process speaking the real protocol. */
import { readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Box, makeDir, openBox } from '../../src/testing/box.ts';

let box: Box;
afterEach(() => box.close());

/** An app-server over a pipe whose answer to a turn is one command with an output of so many bytes, in one line. */
async function wordyCodex(): Promise<string> {
  const path = join(await makeDir('wordy'), 'codex.mjs');
  await writeFile(
    path,
    `#!/usr/bin/env node
import { createInterface } from 'node:readline';
if (process.argv[2] !== 'app-server') { console.log('codex-cli 9.9.9'); process.exit(0); }
if (process.argv.includes('--help')) { console.log('app-server'); process.exit(0); }
const send = (m) => process.stdout.write(JSON.stringify(m) + '\\n');
const threadId = '01234567-89ab-7def-8123-456789abcdef';
let turns = 0;
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') send({ id, result: { userAgent: 'wordy/9.9.9 (x)' } });
  else if (method === 'thread/start') send({ id, result: { thread: { id: threadId, preview: '', cwd: params.cwd } } });
  else if (method === 'turn/start' && params.threadId === threadId) {
    const turnId = 't' + ++turns;
    const text = params.input[0].text;
    send({ id, result: { turn: { id: turnId, status: 'inProgress', items: [] } } });
    send({ method: 'turn/started', params: { threadId, turn: { id: turnId, status: 'inProgress', items: [] } } });
    send({ method: 'item/completed', params: { threadId, turnId, item: { type: 'userMessage', id: 'u', clientId: params.clientUserMessageId, content: [{ type: 'text', text }] } } });
    const size = Number(text);
    const item = { type: 'commandExecution', id: 'c', command: 'big', cwd: '/', status: 'completed', exitCode: 0, commandActions: [], aggregatedOutput: 'x'.repeat(size) };
    if (size > 0) send({ method: 'item/completed', params: { threadId, turnId, item } });
    else process.stdout.write(Buffer.concat([Buffer.from('{"method":"item/agentMessage/delta","params":{"threadId":"' + threadId + '","turnId":"' + turnId + '","itemId":"m","delta":"bad '), Buffer.from([0xff, 0xfe]), Buffer.from(' bytes"}}\\n')]));
    send({ method: 'turn/completed', params: { threadId, turn: { id: turnId, status: 'completed', items: [] } } });
  } else if (id !== undefined) send({ id, error: { code: -32600, message: 'unknown variant' } });
});
`,
  );
  await chmod(path, 0o755);
  return path;
}

test('[FT9] a line of 50 MB is cut in the middle, one of 70 MB is dropped, bad bytes are replaced; the turns end', async () => {
  box = await openBox({ codexBin: await wordyCodex(), transport: 'stdio' });
  const id = await box.create();
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: String(50 * 1024 * 1024) });
  await watcher.turnEnd(1);
  const command = watcher.entries().find((entry) => entry.role === 'command');
  if (command?.role !== 'command') throw new Error('there is no command');
  expect(command.output.length).toBeLessThan(300_000);
  expect(command.output_omitted).toBeGreaterThan(52_000_000);
  await box.must('sendMessage', { conversation_id: id, text: String(70 * 1024 * 1024) });
  await watcher.turnEnd(2);
  await box.must('sendMessage', { conversation_id: id, text: '0' });
  await watcher.turnEnd(3);
  expect(watcher.entries()).toContainEqual(
    expect.objectContaining({ role: 'assistant', text: 'bad \ufffd\ufffd bytes', status: 'interrupted' }),
  );
  const rss = Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${box.pid()}/status`, 'utf8'))?.[1]) / 1024;
  expect(rss).toBeLessThan(700);
});

test('[FT11] a client that stops reading is cut off alone', async () => {
  box = await openBox();
  const id = await box.create({ approval: 'never' });
  const watcher = await box.watch(id);
  const { port } = new URL(box.url());
  const stalled = connect(Number(port), '127.0.0.1');
  const key = 'dGhlIHNhbXBsZSBub25jZQ==';
  stalled.write(
    `GET /ws/appserver HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\nAuthorization: ${box.sessionHeaders().authorization}\r\n\r\n`,
  );
  await new Promise((done) => stalled.once('data', done));
  const text = Buffer.from(JSON.stringify({ type: 'subscribe', conversation_id: id }));
  stalled.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]));
  stalled.pause();
  const gone = new Promise((done) => stalled.once('close', done));
  stalled.on('error', () => undefined);
  const clients = async () => (await box.must('status', {})).clients;
  expect(await clients()).toBe(2);
  // Until more waits than a client may have waiting, besides the 36 MB that the kernel may take for it.
  const note = { conversation_id: id, text: '€'.repeat(65_000) };
  for (let bytes = 0; bytes < 60_000_000 && (await clients()) === 2; bytes += 20 * 195_000) {
    await Promise.all(Array.from({ length: 20 }, () => box.must('appendNote', note)));
  }
  expect(await clients()).toBe(1);
  await box.must('sendMessage', { conversation_id: id, text: 'hello' });
  await watcher.turnEnd();
  stalled.resume();
  await gone;
});

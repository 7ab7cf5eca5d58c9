/** Several events, and a server that goes away on the way. */
import { expect, test } from 'vitest';
import { fail } from '../contract/result.ts';
import { sendWholeEvents } from './send-events.ts';

test('[EV18] of several events each is answered, also those for which no server was left', async () => {
  let calls = 0;
  const call = async () => {
    calls += 1;
    return fail('not_running', 'the server has gone');
  };
  const server = { url: 'http://127.0.0.1:1', api_token: '', version: '1', pid: 1, start_time: '', started_at: '' };
  const said: unknown[] = [];
  const out = {
    isJson: true,
    print: async () => {},
    write: async () => {},
    json: async (value: unknown) => void said.push(value),
    say: () => {},
    fail: async () => 1,
  };
  const lines = [{ type: 'a.b', title: 'one' }, { type: 'a.b' }, { type: 'a.b', title: 'three' }];
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  const thread = '01a1e4f1-0000-7000-8000-000000000000';
  const code = await sendWholeEvents(out, { server, call, callRaw: call }, text, { thread });
  expect(said).toMatchObject([
    { ok: false, results: [{ code: 'not_running' }, { code: 'invalid_event' }, { code: 'not_running' }] },
  ]);
  expect([code, calls]).toEqual([3, 1]);
});

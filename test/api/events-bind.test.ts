/** The configuration of the specification's sketch, letter for letter, and a listener for events with nothing else on it. */
import { expect, onTestFinished, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { eventFor, openTarget } from './events-stand.ts';

const SAMPLE = `[external_events]
enabled = true
default_delivery = "queue_for_next_turn" # or "notify_only"

[[external_events.sources]]
type = "uds"
enabled = true

[[external_events.sources]]
type = "http"
enabled = false
bind = "127.0.0.1:0" # 0 = random port

[[external_events.rules]]
match_type = "build.failed"
min_severity = "error"
delivery = "append_to_thread"
prefer_steer = true

[[external_events.rules]]
match_type = "build.completed"
delivery = "notify_only"
`;

async function openWith(config: string) {
  const box = await openBox({ config });
  onTestFinished(() => box.close());
  const { threadId, discovery } = await openTarget(box);
  return { box, threadId, discovery: await discovery() };
}

function postTo(url: string, token: string, body: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

const rulesOf = async (box: Box) => (await box.must('readEventRules', {})).rules;

test('[EV48] the sketch of a configuration starts the server, and a source that is off takes nothing', async () => {
  const { box, threadId, discovery } = await openWith(SAMPLE);
  expect(await rulesOf(box)).toMatchObject([{ delivery: 'append_to_thread' }, { delivery: 'notify_only' }]);
  expect(discovery).toMatchObject({ ipc: { type: 'uds' } });
  expect(discovery.http).toBeUndefined();
  expect((await postTo(`${box.url()}/v1/events`, box.token(), eventFor(threadId, { event_id: 'a' }))).status).toBe(404);
});

test('[EV48] a source http with a bind listens on its own, and takes events and nothing else', async () => {
  const { box, threadId, discovery } = await openWith(SAMPLE.replace('enabled = false', 'enabled = true'));
  const { url = '', batch_url: batchUrl = '' } = discovery.http ?? {};
  const origin = new URL(url).origin;
  expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(origin).not.toBe(box.url());
  expect((await postTo(url, discovery.token, eventFor(threadId, { event_id: 'a' }))).status).toBe(202);
  expect((await postTo(batchUrl, box.token(), [eventFor(threadId, { event_id: 'b' })])).status).toBe(202);
  expect((await postTo(url, 'wrong', eventFor(threadId, { event_id: 'c' }))).status).toBe(401);
  const { events } = await box.must('listEvents', { thread_id: threadId });
  expect(events.map((event) => event.event_id)).toEqual(['a', 'b']);
  const headers = { authorization: `Bearer ${box.token()}` };
  for (const path of [
    '/',
    '/healthz',
    '/login',
    '/mcp',
    '/api/appserver/status',
    '/metrics',
    `/v1/threads/${threadId}/events`,
  ]) {
    const answer = await fetch(`${origin}${path}`, { headers });
    expect([path, answer.status]).toEqual([path, 404]);
    expect(answer.headers.get('content-security-policy')).not.toBeNull();
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  }
  const foreign = await fetch(url, { method: 'POST', headers: { ...headers, origin: 'http://evil.test' } });
  expect(foreign.status).toBe(403);
});

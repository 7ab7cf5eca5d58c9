/** Calls in Codex's own words: with whose settings they run, whose rights they need, and where their answers are heard. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RouteCall } from '../../src/contract/routes.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

/** The result of a call that must be good. */
async function rpc(input: RouteCall<'rpc'>, as: 'session' | 'token' = 'session'): Promise<Record<string, unknown>> {
  return (await box.must('rpc', input, as)).result as Record<string, unknown>;
}

const text = (words: string) => [{ type: 'text', text: words }];

describe('turns', () => {
  test('[RP1][RP2][RP3] a turn runs with the settings of its conversation, whatever the call says', async () => {
    const id = await box.create({ approval: 'on-request', sandbox: 'read-only', model: 'gpt-5.5' });
    const watcher = await box.watch(id);
    const params = {
      input: text('loosen me'),
      clientUserMessageId: 'rpc-1',
      approvalPolicy: 'never',
      sandboxPolicy: { type: 'dangerFullAccess' },
      model: 'gpt-other',
      cwd: '/',
      effort: 'high',
    };
    const result = await rpc({ conversation_id: id, method: 'turn/start', params }, 'token');
    expect(result).toMatchObject({ conversation_id: id, outcome: 'started', client_message_id: 'rpc-1' });
    expect(result.ignored).toEqual(['approvalPolicy', 'sandboxPolicy', 'model', 'cwd', 'effort']);
    expect(result.turn).toMatchObject({ id: expect.any(String) });
    await watcher.turnEnd();
    const asked = box.model.requests.findLast((one) => one.userText.includes('loosen me'));
    expect(asked?.rawBody).toContain('"model":"gpt-5.5"');
    expect(asked?.rawBody).not.toContain('"effort":"high"');
    expect(asked?.rawBody).toMatch(/read-only/);
    expect(asked?.rawBody).not.toContain('danger-full-access');
    expect(watcher.entries()).toContainEqual(
      expect.objectContaining({ role: 'user', text: 'loosen me', client_message_id: 'rpc-1' }),
    );
    const again = await rpc({ conversation_id: id, method: 'turn/start', params }, 'token');
    expect(again.outcome).toBe('duplicate');
  });

  test('[RP3][RP5] submit, steer and interrupt of the selected conversation go through its outbox', async () => {
    const id = await box.create();
    const watcher = await box.watch(id);
    await box.must('selectConversation', { id });
    // Codex asks again after a steer, so the turn has to be held twice.
    for (const words of ['hold on', 'sharper'])
      box.model.push({ match: { text: words }, events: [{ say: 'working' }, { gate: 'held' }, { say: 'done' }] });
    const first = await rpc({ method: 'turn/submit', params: { message: 'hold on' } });
    const turnId = String(first.turnId);
    await box.model.waitForRequest((one) => one.userText.includes('hold on'));
    expect(await rpc({ method: 'turn/submit', params: { message: 'later' } })).toMatchObject({ outcome: 'queued' });
    const steer = { input: text('sharper'), expectedTurnId: 'another' };
    expect(await box.call('rpc', { method: 'turn/steer', params: steer })).toMatchObject({
      status: 409,
      body: { code: 'stale', details: { turn_id: turnId } },
    });
    const steered = await rpc({ method: 'turn/steer', params: { ...steer, expectedTurnId: turnId } });
    expect(steered).toMatchObject({ outcome: 'steered', turnId });
    const other = await box.call('rpc', { method: 'turn/interrupt', params: { turnId: 'another' } });
    expect(other).toMatchObject({ status: 409, body: { code: 'stale' } });
    expect(await rpc({ method: 'turn/interrupt', params: { turnId } })).toMatchObject({ interrupted: true });
    box.model.release('held');
    await watcher.turnEnd();
    expect(watcher.entries()).toContainEqual(expect.objectContaining({ role: 'status', turn_id: turnId }));
  });

  test.each([
    ['turn/start', { input: text('x'), additionalContext: { evil: { value: 'obey', kind: 'application' } } }],
    ['turn/start', { input: text('x'), environments: [] }],
    ['turn/steer', { input: text('x'), outputSchema: {} }],
    ['thread/start', { config: { mcp_servers: { evil: { command: 'sh' } } } }],
    ['thread/start', { developerInstructions: 'obey' }],
    ['thread/resume', { threadId: '01a1e6bd-c636-7210-9673-a9d5181087e6', path: '/etc/passwd' }],
    ['turn/interrupt', { everything: true }],
  ])('[RP2] %s refuses %j', async (method, params) => {
    const id = await box.create();
    const refused = await box.call('rpc', { conversation_id: id, method, params });
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request', details: expect.anything() } });
  });
});

describe('threads', () => {
  test('[RP4] a draft gets its thread, with its own settings, once', async () => {
    const id = await box.create({ sandbox: 'read-only' });
    const params = { sandbox: 'danger-full-access', approvalPolicy: 'never' };
    const started = await rpc({ conversation_id: id, method: 'thread/start', params }, 'token');
    expect(started).toMatchObject({ conversation_id: id, sandbox: 'read-only', approvalPolicy: 'on-request' });
    expect(started.ignored).toEqual(['sandbox', 'approvalPolicy']);
    const { conversation } = await box.must('readConversation', { id });
    expect(started.thread).toMatchObject({ id: conversation.thread_id, cwd: box.project });
    expect(await rpc({ conversation_id: id, method: 'thread/start' })).toMatchObject({ thread: started.thread });
    const resumed = await rpc({ method: 'thread/resume', params: { threadId: conversation.thread_id } });
    expect(resumed).toMatchObject({ conversation_id: id, thread: { id: conversation.thread_id } });
  });

  test('[RP4] a new conversation is made with the rights of its route', async () => {
    const params = { cwd: box.project, sandbox: 'danger-full-access' };
    expect((await box.call('rpc', { method: 'thread/start', params }, 'token')).status).toBe(403);
    expect((await box.callOnce('rpc', { method: 'thread/start', params })).status).toBe(428);
    const made = await rpc({ method: 'thread/start', params: { cwd: box.project, sandbox: 'read-only' } }, 'token');
    expect(made).toMatchObject({ sandbox: 'read-only', ignored: [], cwd: box.project });
  });

  test('[RP5] a stale tab that names the thread of another conversation is refused', async () => {
    const [id, other] = [await box.create(), await box.create()];
    const { thread } = (await rpc({ conversation_id: other, method: 'thread/start' })) as { thread: { id: string } };
    const input = { conversation_id: id, method: 'turn/start', params: { threadId: thread.id, input: text('x') } };
    expect(await box.call('rpc', input)).toMatchObject({ status: 409, body: { code: 'stale' } });
    const unknown = { method: 'thread/resume', params: { threadId: '00000000-0000-7000-8000-000000000000' } };
    expect((await box.call('rpc', unknown)).status).toBe(404);
  });
});

/** A conversation whose command waits for an answer. */
async function asking(words: string) {
  const id = await box.create({ approval: 'untrusted' });
  const watcher = await box.watch(id);
  box.model.push(
    { match: { text: words }, events: [{ call: 'exec_command', args: { cmd: `touch ${words}`, login: false } }] },
    { events: [{ say: 'ok' }] },
  );
  await box.must('sendMessage', { conversation_id: id, text: words });
  return { id, watcher, approvalId: (await watcher.approval()).approval_id };
}

describe('answers to requests', () => {
  test('[RP6] a person answers by the id of the request, a token does not, and nobody by Codex’s number', async () => {
    const { watcher, approvalId } = await asking('rpc-allowed');
    const input = { id: approvalId, result: { decision: 'accept' } };
    expect((await box.call('rpc', input, 'token')).status).toBe(403);
    for (const id of [0, '0', 1, 'apr_0'])
      expect(await box.call('rpc', { ...input, id })).toMatchObject({
        status: 404,
        body: { code: 'unknown_approval' },
      });
    const answered = await rpc({ jsonrpc: '2.0', ...input });
    expect(answered).toMatchObject({ approval_id: approvalId, status: 'accepted' });
    await watcher.turnEnd();
    expect(watcher.entries()).toContainEqual(expect.objectContaining({ role: 'approval', status: 'accepted' }));
    expect(await box.call('rpc', input)).toMatchObject({ status: 409, body: { code: 'already_answered' } });
  });

  test('[RP6][RP7] an error declines; a rule that the card did not propose is refused', async () => {
    const { watcher, approvalId } = await asking('rpc-declined');
    const amended = { decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['sh'] } } };
    expect((await box.call('rpc', { id: approvalId, result: amended })).status).toBe(400);
    expect((await box.call('rpc', { id: approvalId, result: { decision: 'yes' } })).status).toBe(400);
    expect(await rpc({ id: approvalId, error: { code: -1, message: 'no' } })).toMatchObject({ status: 'declined' });
    await watcher.turnEnd();
  });
});

describe('the event stream', () => {
  test('[RP8] answers are heard on the socket, those to a POST by the sockets of the same credential only', async () => {
    const id = await box.create();
    const mine = await box.watch(id);
    mine.send({ type: 'rpc', id: 'a', method: 'model/list' });
    await mine.until((one) => one.type === 'rpc_response' && one.id === 'a', 'the answer');
    mine.send({ type: 'rpc', id: 'b', method: 'thread/delete' });
    await mine.until((one) => one.type === 'rpc_error' && one.id === 'b' && one.code === 'forbidden', 'the refusal');
    mine.send({ type: 'rpc', id: 'c', conversation_id: id, method: 'turn/submit', params: { message: 'hello' } });
    await mine.until((one) => one.type === 'rpc_response' && one.id === 'c', 'the turn');
    await mine.turnEnd();
    await rpc({ id: 'of-token', method: 'model/list' }, 'token');
    await rpc({ id: 'of-session', method: 'model/list' });
    await mine.until((one) => one.type === 'rpc_response' && one.id === 'of-session', 'the answer to the POST');
    expect(mine.frames.some((one) => one.type === 'rpc_response' && one.id === 'of-token')).toBe(false);
  });
});

/** A Codex that does not start, does not answer, prints garbage or closes its connection: what a person is told, and how soon. */
import { describe, type TestContext, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { makeBrokenCodex } from '../../src/testing/broken-codex.ts';

const LIMIT = 60_000;
const WAIT = { timeout: 55_000, interval: 50 };

async function openBroken(mode: string, { onTestFinished }: TestContext): Promise<Box> {
  const box = await openBox({ codexBin: await makeBrokenCodex(mode) });
  onTestFinished(() => box.close());
  return box;
}

const codexOf = async (box: Box) => (await box.must('status', {})).codex;
const messageUntil = async (box: Box, pattern: RegExp, { expect }: TestContext): Promise<string> => {
  let message = '';
  const look = async () => {
    message = (await codexOf(box)).message ?? '';
    return message;
  };
  await expect.poll(look, WAIT).toMatch(pattern);
  return message;
};

/** A message to a new conversation, and how long its answer took. */
async function send(box: Box) {
  const { id } = await box.must('createConversation', { cwd: box.project });
  const asked = performance.now();
  const answer = await box.call('sendMessage', { conversation_id: id, text: 'hello' });
  return { answer, tookMs: performance.now() - asked };
}

describe.concurrent('a Codex that does not start', () => {
  test.for([
    ['exits', /exit 3\. Its last output: error: model_provider `nobody` not found/],
    ['garbage', /exit 1\. Its last output: \(it printed data that is not text\)/],
  ] as const)(
    '[CX46] %s: the words say why, how often it was tried and what to do',
    { timeout: LIMIT },
    async ([mode, why], context) => {
      const { expect } = context;
      const box = await openBroken(mode, context);
      const retry = await messageUntil(box, /Attempt [234] of 5; the next one in \d+ s\./, context);
      expect(retry).toMatch(why);
      const { answer, tookMs } = await send(box);
      expect(answer).toMatchObject({ status: 503, body: { code: 'codex_unavailable' } });
      expect(tookMs).toBeLessThan(4_000);
      const givenUp = await messageUntil(box, /did not start in 5 attempts/, context);
      expect(givenUp).toMatch(why);
      expect(givenUp).toMatch(/signalbox doctor.*start Codex again/);
      expect(givenUp).not.toMatch(/[\u0000-\u001f\u007f-\u009f\ufffd]/);
      expect((await codexOf(box)).state).toBe('failed');
      // Nothing waits for a Codex that was given up.
      expect((await send(box)).tookMs).toBeLessThan(1_500);
    },
  );

  test.for([
    ['silent', /it opened no socket within 10 s/],
    ['deaf', /its socket cannot be used \(no answer within 5 s\)/],
    ['babble', /its socket cannot be used \(Parse Error/],
    ['mute', /Codex did not answer initialize within 10 s/],
  ] as const)(
    '[CX47] %s: a request is refused soon, and the words say what Codex does not do',
    { timeout: LIMIT },
    async ([mode, why], context) => {
      const { expect } = context;
      const box = await openBroken(mode, context);
      const first = await send(box);
      expect(first.answer).toMatchObject({ status: 503, body: { code: 'codex_unavailable' } });
      expect(first.tookMs).toBeLessThan(8_000);
      const retry = await messageUntil(box, /Attempt \d of 5/, context);
      expect(retry).toMatch(why);
      const second = await send(box);
      expect(second.answer.status).toBe(503);
      expect(second.tookMs).toBeLessThan(4_000);
      const asked = performance.now();
      await box.kill('SIGTERM');
      expect(performance.now() - asked).toBeLessThan(5_000);
    },
  );

  test('[CX48] one that closes every connection is given up, and not connected to without end', {
    timeout: LIMIT,
  }, async (context) => {
    const { expect } = context;
    const box = await openBroken('closing', context);
    const givenUp = await messageUntil(box, /closed its connection \d times within a minute/, context);
    expect(givenUp).toMatch(/Attempt|stopped \d times/);
    expect((await send(box)).answer.ok).toBe(false);
  });

  test.for([
    ['threadless', /Codex did not answer thread\/start within 15 s/],
    ['dumb', /Codex did not answer turn\/start within 5 s/],
  ] as const)(
    '[CX49] %s: a new thread fails within 15 s, and the status says that Codex is silent',
    { timeout: LIMIT },
    async ([mode, why], context) => {
      const { expect } = context;
      const box = await openBroken(mode, context);
      await box.must('initialize', {});
      const { answer, tookMs } = await send(box);
      expect(answer).toMatchObject({ status: 504, body: { code: 'codex_timeout' } });
      expect(JSON.stringify(answer.body)).toMatch(why);
      expect(tookMs).toBeLessThan(18_000);
      const codex = await codexOf(box);
      expect(codex).toMatchObject({ state: 'ready' });
      expect(codex.message).toMatch(new RegExp(`process ${codex.pid}\\) runs but did not answer.*restart it`));
    },
  );
});

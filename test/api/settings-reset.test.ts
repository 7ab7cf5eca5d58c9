/** Settings set back to null: what the model is asked with afterwards. Measured in the requests that reach the model. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox({ codexConfig: 'model_reasoning_effort = "low"' });
});
afterAll(() => box.close());

/** Model and effort of the request that asked the model for this message. */
async function askedWith(id: string, text: string) {
  const watcher = await box.watch(id);
  box.model.push({ match: { text }, events: [{ say: 'ok' }] });
  await box.must('sendMessage', { conversation_id: id, text });
  await watcher.turnEnd();
  watcher.close();
  const request = box.model.requests.findLast((one) => one.userText.includes(text));
  const body = JSON.parse(request?.rawBody ?? '{}');
  return { model: body.model, effort: body.reasoning?.effort };
}

test('[CS20] an effort set back to null is again the one of Codex’s configuration', async () => {
  const id = await box.create();
  expect(await askedWith(id, 'first default')).toEqual({ model: 'gpt-5.5', effort: 'low' });
  await box.must('patchConversation', { id, reasoning_effort: 'high' });
  expect(await askedWith(id, 'chosen effort')).toEqual({ model: 'gpt-5.5', effort: 'high' });
  await box.must('patchConversation', { id, reasoning_effort: null });
  expect(await askedWith(id, 'reset effort')).toEqual({ model: 'gpt-5.5', effort: 'low' });
  expect(await askedWith(id, 'still reset')).toEqual({ model: 'gpt-5.5', effort: 'low' });
});

test('[CS20] a model set back to null is again the one of Codex’s configuration, and so is its effort', async () => {
  const { models } = await box.must('models', {});
  const other = models.find((one) => one.id !== 'gpt-5.5' && one.efforts.some(({ effort }) => effort === 'high'));
  if (other === undefined) throw new Error('Codex lists one model only: this test proves nothing');
  const id = await box.create({ model: other.id, reasoning_effort: 'high' });
  expect(await askedWith(id, 'other model')).toEqual({ model: other.id, effort: 'high' });
  await box.must('patchConversation', { id, model: null, reasoning_effort: null });
  expect(await askedWith(id, 'default model')).toEqual({ model: 'gpt-5.5', effort: 'low' });
  const { row } = await box.must('readConversation', { id });
  expect(row).toMatchObject({ model: null, applied_model: 'gpt-5.5' });
});

test('[CS20] a reset also holds for a thread that Codex loads again', async () => {
  const id = await box.create({ reasoning_effort: 'high' });
  expect(await askedWith(id, 'before stop')).toEqual({ model: 'gpt-5.5', effort: 'high' });
  await box.must('stop', {});
  await box.must('patchConversation', { id, reasoning_effort: null });
  await box.must('start', {});
  expect(await askedWith(id, 'after stop')).toEqual({ model: 'gpt-5.5', effort: 'low' });
});

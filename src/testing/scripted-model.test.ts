/** The model that our tests script. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts';

let model: ScriptedModel;

beforeEach(async () => {
  model = await startScriptedModel();
});
afterEach(() => model.close());

async function ask(text: string, { turn = 't1', name = 'gpt-5.5' } = {}): Promise<string> {
  const response = await fetch(`${model.url}/responses`, {
    method: 'POST',
    headers: { 'x-codex-turn-metadata': JSON.stringify({ turn_id: turn }) },
    body: JSON.stringify({ model: name, input: [{ role: 'user', content: [{ text }] }] }),
  });
  const body = await response.text();
  if (!response.ok) return `${response.status} ${body}`;
  return [...body.matchAll(/"output_text","text":"([^"]*)"/g)].map(([, said]) => said).join(' ');
}

test('without a script it says the words back', async () => {
  expect(await ask('hello')).toBe('scripted: hello');
});

test('the first reply that fits is used, once or as often as it says', async () => {
  model.push(
    { match: 'apple', events: [{ say: 'fruit' }], repeat: 2 },
    { match: { model: '^gpt-6', text: /PEAR/i }, events: [{ say: 'pear' }] },
    { match: { body: '"secret"' }, events: [{ say: 'found' }] },
    { match: { n: 6 }, status: 503, body: { busy: true } },
    { events: [{ say: 'any' }], repeat: true },
  );
  expect(await ask('an apple')).toBe('fruit');
  expect(await ask('pear')).toBe('any');
  expect(await ask('pear', { name: 'gpt-6' })).toBe('pear');
  expect(await ask('apple')).toBe('fruit');
  expect(await ask('apple')).toBe('any');
  expect(await ask('secret')).toBe('found');
  expect(await ask('x')).toBe('503 {"busy":true}');
  expect(model.pending).toBe(1);
  model.reset();
  expect(await ask('x')).toBe('scripted: x');
  expect(model.requests.map(({ n, userText }) => [n, userText])).toEqual([[0, 'x']]);
});

test('requests are recorded and can be waited for, and gates hold', async () => {
  model.push({ events: [{ gate: 'g' }, { say: 'late' }] });
  const asked = model.waitForRequest(({ userText }) => userText === 'now');
  const answer = ask('now');
  expect((await asked).body).toMatchObject({ model: 'gpt-5.5' });
  expect((await model.waitForRequest()).userText).toBe('now');
  model.release('g');
  expect(await answer).toBe('late');
});

test('a wait ends when the model closes', async () => {
  const wait = expect(model.waitForRequest()).rejects.toThrow('closed');
  await model.close();
  await wait;
});

test('a message scripts its own turn, answer by answer', async () => {
  const text = `go <<model ${JSON.stringify([{ status: 500 }, { events: [{ say: 'one' }] }])}>>`;
  expect(await ask(text)).toContain('500');
  expect(await ask(text)).toBe('one');
  expect(await ask('other')).toBe('scripted: other');
  expect(await ask(text, { turn: 't2' })).toContain('500');
  expect(await ask('<<model [{"events":[{"shout":"x"}]}]>>')).toContain('Bad <<model>> directive: answer 0');
  expect(await ask('<<model [1,]>>')).toContain('Bad <<model>> directive');
  expect(await ask('<<model [{"events":[{"constructor":"x"}]}]>>')).toContain('Bad');
});

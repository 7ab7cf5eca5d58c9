/** What Codex asked and what the person answered stays in the transcript: as a card, after a reload, in exports and in the search. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { begin, dock, expectClean, expectSameLater, row, setStage, turnsDone } from './stage.ts';

const MAIN = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');
const stage = setStage();

const option = (label: string) => ({ label, description: `the ${label} way` });
const QUESTIONS = [
  { id: 'q1', header: 'Way', question: 'Which way\nshall it go?', options: [option('left'), option('right')] },
  { id: 'q2', header: 'Name', question: 'What is it called?', options: [option('parser'), option('lexer')] },
];

test('[PG345] [CV82] the questions and the chosen answers are a card, also after a reload, in exports and in the search', async () => {
  const { id, visit, page } = await begin(
    stage,
    { model: 'gpt-5.5', mode: 'plan' },
    [{ call: 'request_user_input', args: { questions: QUESTIONS } }],
    [{ say: 'so be it' }],
  );
  await dock(page).getByText('Codex has questions').waitFor();
  await dock(page).getByRole('radio', { name: /right/ }).check();
  await dock(page).getByRole('textbox').last().fill('grammar <b>two</b>');
  await dock(page).getByRole('button', { name: 'Send answer' }).click();
  await turnsDone(page);
  const card = row(page, 'approval');
  await card.getByText('Codex asked, and you answered').waitFor();
  expect(await card.locator('dt').allInnerTexts()).toEqual(['Which way\nshall it go?', 'What is it called?']);
  expect(await card.locator('dd').allInnerTexts()).toEqual(['right', 'grammar <b>two</b>']);
  await expectSameLater(visit, 'answers');
  const args = [MAIN, '--home', stage.box.home, 'conversations', 'export', id, '--format', 'md'];
  const markdown = (await promisify(execFile)(process.execPath, args)).stdout;
  expect(markdown).toContain('Questions of Codex (answered)');
  expect(markdown).toContain('→ right');
  expect(markdown).toMatch(/→ grammar .*two/);
  const found = await stage.box.must('search', { conversation_id: id, q: 'grammar' });
  expect(JSON.stringify(found)).toContain('grammar');
  expectClean(visit);
});

test('[PG345] questions without an answer say so, and a turn that was stopped too', async () => {
  const { visit, page } = await begin(
    stage,
    { model: 'gpt-5.5', mode: 'plan' },
    [{ call: 'request_user_input', args: { questions: QUESTIONS.slice(0, 1) } }],
    [{ say: 'then not' }],
  );
  await dock(page).getByText('Codex has questions').waitFor();
  await dock(page)
    .getByRole('button', { name: /^Decline|^Do not answer|^Skip/ })
    .click();
  await turnsDone(page);
  const card = row(page, 'approval');
  await card.getByText('Codex asked, and got no answer').waitFor();
  expect(await card.locator('dt').count()).toBe(1);
  expect(await card.locator('dd').count()).toBe(0);
  expectClean(visit);
});

test('[CV82] the answer to a secret question is in no file of the home', async () => {
  const secret = 'correct-horse-battery';
  const questions = [{ ...QUESTIONS[0], isSecret: true, options: [option('left'), option('right')], isOther: true }];
  const { id, page } = await begin(
    stage,
    { model: 'gpt-5.5', mode: 'plan' },
    [{ call: 'request_user_input', args: { questions } }],
    [{ say: 'thanks' }],
  );
  await dock(page).locator('input[type="password"]').fill(secret);
  await dock(page).getByRole('button', { name: 'Send answer' }).click();
  await turnsDone(page);
  await row(page, 'approval').getByText('A secret. Codex has it; the transcript does not keep it.').waitFor();
  expect(stage.box.model.requests.at(-1)?.rawBody).toContain(secret);
  expect(JSON.stringify(await stage.box.entries(id))).not.toContain(secret);
  const { stdout } = await promisify(execFile)('grep', ['-rl', '--', secret, stage.box.home]).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});

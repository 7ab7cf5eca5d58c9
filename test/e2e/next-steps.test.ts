/** What the page offers after a turn. */
import { expect, test } from 'vitest';
import { begin, button, eventually, expectClean, row, say, setStage, turnsDone } from './stage.ts';

const stage = setStage();

test('[PG109] a failed turn is tried again by one click', async () => {
  // Refused outright: Codex does not retry by itself.
  const word = 'refused at first';
  stage.box.model.push({ match: word, status: 400, body: { error: { message: 'broken for now' } } });
  const { visit, page } = await stage.fresh();
  await say(page, `do ${word}`);
  await turnsDone(page);
  await button(page, 'Try again').waitFor();
  await visit.shot('try-again');
  stage.box.model.reset();
  stage.box.model.push({ match: word, events: [{ say: 'it works now' }] });
  await button(page, 'Try again').click();
  await turnsDone(page, 2);
  await row(page, 'assistant').getByText('it works now').waitFor();
  expect(await row(page, 'user').count()).toBe(2);
  expect(await button(page, 'Try again').count()).toBe(0);
  expectClean(visit);
});

test('[PG109] a full context offers to compact', async () => {
  const { page } = await begin(stage, {}, [
    { fail: { code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' } },
  ]);
  await turnsDone(page);
  await button(page, 'Compact').waitFor();
  await button(page, 'Compact').click();
  await row(page, 'note')
    .getByText(/compacted/i)
    .waitFor();
});

test('[PG110] a proposed plan is implemented by one click, outside plan mode', async () => {
  const { id, visit, page } = await begin(stage, { mode: 'plan' }, [
    { say: '<proposed_plan>\n1. Look\n2. Change\n</proposed_plan>' },
  ]);
  await turnsDone(page);
  await visit.shot('plan-implement');
  await button(page, 'Implement this plan').click();
  await turnsDone(page, 2);
  expect((await stage.box.must('readConversation', { id })).conversation.mode).toBe('default');
  await eventually(() => row(page, 'user').count()).toBe(2);
  await row(page, 'user').getByText('Implement the plan.').waitFor();
  expect(await button(page, 'Implement this plan').count()).toBe(0);
  expectClean(visit);
});

test('[PG350] a used-up quota offers to sign in, with the account behind the button', async () => {
  const { visit, page } = await begin(stage, {}, [
    { fail: { code: 'insufficient_quota', message: 'You exceeded your current quota.' } },
  ]);
  await turnsDone(page);
  await row(page, 'error').getByText('Wait until the limit is reset, or sign in with another account.').waitFor();
  await visit.shot('quota');
  await button(page, 'Sign in').click();
  await page.getByRole('dialog', { name: 'Account' }).waitFor();
  await page.keyboard.press('Escape');
  await button(page, 'Try again').waitFor();
  expectClean(visit);
});

test('[PG350] a refused login offers to sign in', async () => {
  // Codex tries a second time by itself.
  const refused = { status: 401, body: { error: { message: 'Incorrect API key provided.' } } };
  stage.box.model.push({ match: 'who am I', repeat: true, ...refused });
  const { visit, page } = await stage.fresh();
  await say(page, 'who am I');
  await turnsDone(page);
  await row(page, 'error').getByText('Sign in again under Account.').waitFor();
  await button(page, 'Sign in').waitFor();
  await visit.shot('login-refused');
  expect(await button(page, 'Compact').count()).toBe(0);
  stage.box.model.reset();
  expectClean(visit);
});

test('[PG350] a lost network offers to try again, as the first and only act', async () => {
  const { visit, page } = await begin(
    stage,
    {},
    // Codex tries a second time by itself.
    [{ say: 'half an ans' }, { cut: 'connection' }],
    [{ say: 'half an ans' }, { cut: 'connection' }],
  );
  await turnsDone(page);
  await row(page, 'error').waitFor();
  expect(await row(page, 'status').getByRole('button').allInnerTexts()).toEqual(['Try again']);
  await visit.shot('network');
  stage.box.model.reset();
  await button(page, 'Try again').click();
  await turnsDone(page, 2);
  expectClean(visit);
});

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

/** What the page says is so: the effort that runs, what a long output leaves out, and errors that leave with their cause. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { begin, button, composer, eventually, freePort, row, say, script, setStage, turnsDone } from './stage.ts';

/** Neither is what Codex's own list calls the default. */
const stage = setStage(async () => ({
  model: 'gpt-5.6-luna',
  codexConfig: 'model_reasoning_effort = "high"\n',
  flags: ['--port', String(await freePort())],
}));

const effort = (page: Page, word: string) =>
  page.locator('header').getByRole('button', { name: new RegExp(`^Reasoning effort\\s*${word}$`) });

test('[PG120] the header names the effort that runs, also where it comes from Codex’s own configuration', async () => {
  const { id } = await stage.box.must('createConversation', { cwd: stage.box.project });
  const { page } = await stage.open({ conversationId: id });
  await effort(page, 'high').waitFor();
  const word = script(stage.box, [{ say: 'hello' }]);
  await say(page, word);
  await turnsDone(page);
  const sent = await stage.box.model.waitForRequest(({ userText }) => userText.includes(word));
  expect(sent.body.reasoning).toMatchObject({ effort: 'high' });
  await eventually(async () => (await stage.box.must('readConversation', { id })).row.applied_effort).toBe('high');
  await effort(page, 'high').waitFor();
});

test('[PG121] model and effort can be given back to Codex: the header then names what the next message runs with', async () => {
  const { id } = await stage.box.must('createConversation', {
    cwd: stage.box.project,
    model: 'gpt-5.5',
    reasoning_effort: 'low',
  });
  const { page } = await stage.open({ conversationId: id });
  await say(page, script(stage.box, [{ say: 'hello' }]));
  await turnsDone(page);
  await effort(page, 'low').click();
  await page.getByRole('menuitemradio', { name: /^Default/ }).click();
  await effort(page, 'high').waitFor();
  await page
    .locator('header')
    .getByRole('button', { name: /^Model/ })
    .click();
  await page.getByRole('menuitemradio', { name: /^Default/ }).click();
  const { models } = await stage.box.must('models', {});
  const configured = models.find((one) => one.is_default);
  await page.getByRole('button', { name: new RegExp(`^Model\\s*${configured?.name}$`) }).waitFor();
  const { conversation } = await stage.box.must('readConversation', { id });
  expect(conversation).toMatchObject({ model: null, reasoning_effort: null });
});

test('[PG122] of an output that was cut the card says how many lines were printed and how many are kept', async () => {
  const { page } = await begin(
    stage,
    { approval: 'never' },
    [
      {
        call: 'exec_command',
        args: {
          cmd: `awk 'BEGIN { for (i = 1; i <= 10000; i++) printf "line %05d %s\\n", i, "${'x'.repeat(45)}"; exit 1 }'`,
          login: false,
        },
      },
    ],
    [{ say: 'done' }],
  );
  await turnsDone(page);
  const card = row(page, 'command');
  const more = card.getByRole('button', { name: /^Show .* lines$/ });
  const [, kept = '', printed = ''] = /^Show ([\d,]+) of ([\d,]+) lines$/.exec(await more.innerText()) ?? [];
  expect(printed).toBe('10,000');
  const lines = Number(kept.replace(',', ''));
  expect(lines).toBeGreaterThan(4_000);
  await card.getByText(/[\d,]+ lines \([\d,]+ characters\) were cut out of the middle/).waitFor();
  await more.click();
  await card.getByText(/line 00001/).waitFor();
});

test('[PG124] what could not be reached is no longer said once it can be', async () => {
  const { id, visit, page } = await stage.fresh({ approval: 'never' });
  const before = visit.synced.of(id);
  await stage.box.kill();
  await say(page, 'are you there');
  await page
    .getByText(/cannot be reached/)
    .first()
    .waitFor();
  await button(page, 'Send').waitFor();
  await page.getByRole('button', { name: 'Reasoning effort' }).click();
  await page.getByRole('menuitemradio', { name: /^low/ }).click();
  await eventually(() => page.getByText(/cannot be reached/).count()).toBe(2);
  await stage.box.restart();
  await visit.synced.beyond(id, before);
  await eventually(() => page.getByText(/cannot be reached/).count()).toBe(0);
  expect(await composer(page).inputValue()).toBe('are you there');
});

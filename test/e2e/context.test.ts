/** The mark below a message that carried something, and the switches, in a browser. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { begin, button, eventually, expectSameLater, openStage, row, type Stage, say, turnsDone } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const answered = (id: string, text: string) =>
  eventually(async () =>
    (await stage.box.entries(id)).some((one) => one.role === 'assistant' && one.text === `scripted: ${text}`),
  ).toBe(true);

test('[CT18] a message that carried something says so, and shows exactly what the model was given', async () => {
  const { id, visit, page } = await begin(stage, { approval: 'never', sandbox: 'danger-full-access' }, [
    { say: 'hello' },
  ]);
  await turnsDone(page);
  expect(
    await row(page, 'user')
      .getByRole('button', { name: /^Context/ })
      .count(),
  ).toBe(0);
  await stage.box.must('shellExec', { conversation_id: id, command: 'echo from-the-terminal' });
  await say(page, 'what was that?');
  await answered(id, 'what was that?');
  const chip = row(page, 'user')
    .last()
    .getByRole('button', { name: /^Context: .*commands/ });
  await chip.waitFor();
  expect(await row(page, 'user').last().innerText()).not.toContain('from-the-terminal');
  await chip.click();
  const shown = row(page, 'user').last().getByRole('region', { name: 'user_cmd_context' }).locator('pre');
  await shown.waitFor();
  const request = stage.box.model.requests.findLast((one) => one.userText === 'what was that?');
  const text = (await shown.textContent()) ?? '';
  expect(text).toContain('echo from-the-terminal');
  expect(JSON.stringify(request?.body)).toContain(
    JSON.stringify(`<external_user_cmd_context>${text}</external_user_cmd_context>`),
  );
  await visit.shot('context-open');
  await chip.click();
  await eventually(() => shown.count()).toBe(0);
  await expectSameLater(visit, 'context');
  await visit.close();
});

test('[CT18] each fragment has a switch, and what is off is not sent', async () => {
  const { id, visit, page } = await begin(stage, { approval: 'never', sandbox: 'danger-full-access' }, [
    { say: 'hello' },
  ]);
  await turnsDone(page);
  await button(page, 'Conversation settings').click();
  const group = page.getByRole('group', { name: 'Goes along with your messages' });
  const commands = group.getByRole('checkbox', { name: 'Commands you ran since your last message' });
  expect(await group.getByRole('checkbox').count()).toBe(5);
  expect(await commands.isChecked()).toBe(true);
  await commands.click();
  await eventually(() => commands.isChecked()).toBe(false);
  await visit.shot('context-switches');
  await page.keyboard.press('Escape');
  const file = join(stage.box.home, 'conversations', id, 'conversation_meta.json');
  await eventually(async () => JSON.parse(await readFile(file, 'utf8')).context.commands).toBe(false);
  await stage.box.must('shellExec', { conversation_id: id, command: 'echo private' });
  await say(page, 'anything new?');
  await answered(id, 'anything new?');
  await row(page, 'user').getByText('anything new?').waitFor();
  expect(
    await row(page, 'user')
      .last()
      .getByRole('button', { name: /^Context: .*commands/ })
      .count(),
  ).toBe(0);
  await visit.reload();
  await button(page, 'Conversation settings').click();
  await eventually(() => commands.isChecked()).toBe(false);
  await visit.close();
});

/** The mark below a message that carried something, and the switches, in a browser. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { twoFrames } from '../../src/testing/browser.ts';
import { saidIn, valuesIn } from '../../src/testing/said.ts';
import {
  begin,
  button,
  DESKTOP,
  eventually,
  expectClean,
  expectSameLater,
  PHONE,
  row,
  say,
  setStage,
  sideways,
  turnsDone,
} from './stage.ts';

const stage = setStage();

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
  const last = row(page, 'user').last();
  const chip = last.getByRole('button', { name: 'Context: 1 command, terminal', exact: true });
  await chip.waitFor();
  expect(await last.innerText()).not.toContain('from-the-terminal');
  // By keyboard alone: open it, and go to what may scroll.
  await chip.focus();
  await page.keyboard.press('Enter');
  const given = last.getByRole('region', { name: 'What went along with this message' });
  const shown = given.getByRole('region', { name: 'Commands you ran, exactly as sent' });
  await shown.waitFor();
  expect(await chip.getAttribute('aria-controls')).toBe(await given.getAttribute('id'));
  await page.keyboard.press('Tab');
  expect(await shown.evaluate((one) => one.matches(':focus'))).toBe(true);
  expect(await given.getByRole('heading').allInnerTexts()).toEqual([
    'Commands you ran',
    'Your terminal',
    'Note on what is data',
  ]);
  expect(await given.getByRole('listitem').allInnerTexts()).toEqual(['echo from-the-terminal\nexit 0']);
  const request = stage.box.model.requests.findLast((one) => one.userText === 'what was that?');
  const text = (await shown.textContent()) ?? '';
  expect(text).toContain('echo from-the-terminal');
  expect(valuesIn(saidIn(request?.body ?? {}), 'user_cmd_context')).toContain(text);
  await visit.shot('context-open');
  await page.setViewportSize(PHONE);
  await twoFrames(page);
  expect(await sideways(page)).toEqual([]);
  expect((await chip.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await visit.shot('context-open-phone');
  await page.setViewportSize(DESKTOP);
  await chip.click();
  await eventually(() => shown.count()).toBe(0);
  await expectSameLater(visit, 'context');
});

test('[CT18] each fragment has a switch, and what is off is not sent', async () => {
  const { id, visit, page } = await begin(stage, { approval: 'never', sandbox: 'danger-full-access' }, [
    { say: 'hello' },
  ]);
  await turnsDone(page);
  await button(page, 'Conversation settings').click();
  const group = page.getByRole('group', { name: 'Goes along with your messages' });
  await group.waitFor();
  const commands = group.getByRole('checkbox', { name: 'Commands you ran since your last message' });
  expect(await group.getByRole('checkbox').count()).toBe(5);
  expect(await commands.isChecked()).toBe(true);
  await commands.click();
  await eventually(() => commands.isChecked()).toBe(false);
  await visit.shot('context-switches');
  await page.keyboard.press('Escape');
  const file = join(stage.box.home, 'conversations', id, 'conversation_meta.json');
  await eventually(async () => JSON.parse(await readFile(file, 'utf8')).context.commands).toBe(false);
  const line = page.getByText('Not sent to Codex: commands');
  await line.waitFor();
  await stage.box.must('shellExec', { conversation_id: id, command: 'echo private' });
  await say(page, 'anything new?');
  await answered(id, 'anything new?');
  await row(page, 'user').getByText('anything new?').waitFor();
  expect(
    await row(page, 'user')
      .last()
      .getByRole('button', { name: /^Context: .*command/ })
      .count(),
  ).toBe(0);
  await visit.reload();
  // From where it is said it can be undone.
  await button(page, 'Change…').click();
  await eventually(() => commands.isChecked()).toBe(false);
  await commands.click();
  await eventually(() => commands.isChecked()).toBe(true);
  await page.keyboard.press('Escape');
  await eventually(() => line.count()).toBe(0);
});

test('[CT20] what will go along is said before the message is sent, until it has', async () => {
  const { id, visit, page } = await begin(stage, { approval: 'never', sandbox: 'danger-full-access' }, [
    { say: 'hello' },
  ]);
  await turnsDone(page);
  expect(await page.getByText(/along with your next message/).count()).toBe(0);
  await stage.box.must('shellExec', { conversation_id: id, command: 'echo one' });
  await page.getByText('1 command goes along with your next message').waitFor();
  await stage.box.must('shellExec', { conversation_id: id, command: 'echo two' });
  await page.getByText('2 commands go along with your next message').waitFor();
  await visit.shot('context-pending');
  await say(page, 'and?');
  await row(page, 'user').last().getByRole('button', { name: 'Context: 2 commands, terminal', exact: true }).waitFor();
  await eventually(() => page.getByText(/along with your next message/).count()).toBe(0);
  expectClean(visit);
});

test('[CT21] what is off for new conversations is off in the next one, and on again when it is turned on', async () => {
  const visit = await stage.open();
  const { page } = visit;
  await button(page, 'Settings').click();
  const group = page.getByRole('group', { name: 'Goes along with their messages' });
  await group.waitFor();
  const commands = group.getByRole('checkbox', { name: 'Commands you ran since your last message' });
  await commands.click();
  await eventually(() => commands.isChecked()).toBe(false);
  await group.scrollIntoViewIfNeeded();
  await visit.shot('context-defaults');
  const off = await stage.box.must('readConversation', { id: await stage.box.create({}) });
  expect(off.conversation.context).toEqual({
    policy: true,
    terminal: true,
    peers: true,
    commands: false,
    events: true,
  });
  await commands.click();
  await eventually(() => commands.isChecked()).toBe(true);
  const on = await stage.box.must('readConversation', { id: await stage.box.create({}) });
  expect(on.conversation.context.commands).toBe(true);
  expectClean(visit);
});

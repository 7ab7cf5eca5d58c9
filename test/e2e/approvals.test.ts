/** Every kind of request, answered in the dock: by button, by key, here or elsewhere. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBox } from '../../src/testing/box.ts';
import { DESKTOP, openPage, PHONE } from '../../src/testing/browser.ts';
import {
  begin,
  composer,
  dock,
  eventually,
  expectAskedLater,
  expectClean,
  expectSameLater,
  row,
  say,
  script,
  setStage,
  TINY_MCP,
  transcript,
  turnsDone,
} from './stage.ts';

const stage = setStage({ codexConfig: TINY_MCP });

const ask = { approval: 'untrusted' } as const;
const run = (cmd: string) => ({ call: 'exec_command', args: { cmd, login: false } });
const patch = (name: string) => ({
  custom: 'apply_patch',
  input: `*** Begin Patch\n*** Add File: ${name}\n+one line\n*** End Patch\n`,
});
const mcp = (tool: string, args = {}) => ({ call: tool, args, namespace: 'mcp__tiny' });

test('[PG10] a command: the exact bytes, where, and Alt Y from the message box', async () => {
  const { visit, page } = await begin(stage, ask, [run('echo \u202ehidden; echo ok')], [{ say: 'done' }]);
  await dock(page).waitFor();
  expect(await dock(page).locator('pre').innerText()).toContain('echo \\u202ehidden; echo ok');
  expect(await dock(page).innerText()).toContain(stage.box.project);
  await row(page, 'command').getByText('waits for you').waitFor();
  expect(await row(page, 'asking').count()).toBe(0);
  await eventually(() => page.title()).toMatch(/^\(1\) /);
  await expectAskedLater(visit, 'approval-command');
  await composer(page).fill('y in a text is only a letter');
  await composer(page).press('y');
  expect(await dock(page).count()).toBe(1);
  await composer(page).press('Alt+y');
  await turnsDone(page);
  expect(await dock(page).count()).toBe(0);
  await row(page, 'approval').getByText('Allowed').waitFor();
  await eventually(() => page.title()).not.toMatch(/^\(/);
  await composer(page).fill('');
  await expectSameLater(visit, 'approval-command-done');
});

test('[PG10] nothing on the page obeys a direction control of the command', async () => {
  const { page } = await begin(stage, ask, [run('echo \u202ehidden')], [{ say: 'done' }]);
  await dock(page).waitFor();
  const text = await page.locator('#root').innerText();
  await dock(page).getByRole('button', { name: 'Decline', exact: true }).click();
  await turnsDone(page);
  expect(text).not.toContain('\u202e');
});

test('[PG10] a file change: its diff, and n declines', async () => {
  const { visit, page } = await begin(stage, ask, [patch('unwanted.txt')], [{ say: 'not then' }]);
  await dock(page).getByText('Writes 1 file').waitFor();
  await dock(page).getByText('one line').waitFor();
  await expectAskedLater(visit, 'approval-file');
  await dock(page).getByText('one line').waitFor();
  await transcript(page).focus();
  await page.keyboard.press('n');
  await turnsDone(page);
  await row(page, 'approval').getByText('Declined').waitFor();
  await row(page, 'diff').getByText('declined, nothing was written').waitFor();
  expect(existsSync(join(stage.box.project, 'declined.txt'))).toBe(false);
  await expectSameLater(visit, 'approval-file-declined');
});

test('[PG10] a allows for the conversation, so the next one is not asked for', async () => {
  const { page } = await begin(stage, ask, [patch('first.txt')], [patch('first.txt')], [{ say: 'done' }]);
  await dock(page).getByText('one line').waitFor();
  await transcript(page).focus();
  await page.keyboard.press('a');
  await turnsDone(page);
  expect(await row(page, 'approval').count()).toBe(1);
  await row(page, 'approval').getByText('for this conversation').waitFor();
});

test('[PG11] [AT11] always says what it writes before it writes it', async () => {
  const { visit, page } = await begin(stage, ask, [run('git frobnicate now')], [{ say: 'done' }]);
  await dock(page).getByRole('button', { name: 'Always allow…' }).click();
  const step = page.getByRole('alertdialog');
  await step.getByText(/begins with this, without asking: git frobnicate/).waitFor();
  await step.getByText(/every project and every conversation, for good/).waitFor();
  await visit.shot('approval-always');
  await page.keyboard.press('Escape');
  await step.waitFor({ state: 'detached' });
  await dock(page).getByRole('button', { name: 'Always allow…' }).click();
  await step.getByRole('button', { name: 'Always allow' }).click();
  await turnsDone(page);
  await row(page, 'approval').getByText('always').waitFor();
});

test('[PG10] an MCP tool, then the form it asks to fill in', async () => {
  const { visit, page } = await begin(stage, { approval: 'on-request' }, [mcp('curious')], [{ say: 'met' }]);
  await dock(page).getByText('Calls a tool of tiny').waitFor();
  await expectAskedLater(visit, 'approval-tool');
  await transcript(page).focus();
  await page.keyboard.press('y');
  await dock(page).getByText('tiny asks you').waitFor();
  await dock(page).getByText('What is your name?').waitFor();
  await expectAskedLater(visit, 'approval-form');
  await dock(page).getByRole('button', { name: 'Send answer' }).click();
  await dock(page).getByRole('alert').getByText('Name').waitFor();
  await dock(page).getByLabel('Name').fill('Ada');
  await visit.shot('approval-form-filled');
  await dock(page).getByRole('button', { name: 'Send answer' }).click();
  await turnsDone(page);
  await row(page, 'tool').getByRole('button').click();
  await row(page, 'tool').getByText('hello Ada').waitFor();
  expectClean(visit);
});

test('[PG10] questions of the model are chosen or written', async () => {
  const option = (label: string) => ({ label, description: `the ${label} way` });
  const questions = [{ id: 'q1', header: 'Way', question: 'Which way?', options: [option('left'), option('right')] }];
  const { visit, page } = await begin(
    stage,
    { model: 'gpt-5.5', mode: 'plan' },
    [{ call: 'request_user_input', args: { questions } }],
    [{ say: 'right it is' }],
  );
  await dock(page).getByText('Codex has questions').waitFor();
  await expectAskedLater(visit, 'approval-questions');
  await dock(page).getByRole('radio', { name: /right/ }).check();
  await dock(page).getByRole('button', { name: 'Send answer' }).click();
  await turnsDone(page);
  await row(page, 'assistant').getByText('right it is').waitFor();
  expect(stage.box.model.requests.at(-1)?.rawBody).toContain('right');
});

const escalated = (cmd: string, justification: string) => ({
  call: 'exec_command',
  args: { cmd, login: false, sandbox_permissions: 'require_escalated', justification },
});
const allow = (page: Page) => dock(page).getByRole('button', { name: 'Allow once' });
const NUMBERS = Array.from({ length: 150 }, (_, at) => `echo ${at}`).join('\n');
const REASON = Array.from({ length: 40 }, (_, at) => `Because of reason ${at}.`).join('\n');

test('[PG62] the command comes first and whole, the reason below it, cut and named as the words of Codex', async () => {
  const hidden = `git status${'\n'.repeat(61)}touch payload${' '.repeat(400)}; touch behind`;
  const { visit, page } = await begin(
    stage,
    { approval: 'on-request' },
    [escalated(hidden, REASON)],
    [{ say: 'done' }],
  );
  await dock(page).waitFor();
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    for (const text of ['git status', '⋯ 60 empty lines', 'touch payload', '⋯ 400 blanks ⋯', 'touch behind']) {
      const place = await dock(page).getByText(text).first().boundingBox();
      expect(place?.y, text).toBeGreaterThan(0);
      expect((place?.y ?? 0) + (place?.height ?? 0), text).toBeLessThan(viewport.height);
    }
    await visit.shot(`approval-hidden-${viewport.width}`);
  }
  await page.setViewportSize(DESKTOP);
  const told = await dock(page).innerText();
  expect(told.indexOf('touch behind')).toBeLessThan(told.indexOf('Codex’s reason, in its own words'));
  expect(told).toContain('Because of reason 2.');
  expect(told).not.toContain('Because of reason 3.');
  await page.getByText('… and 61 more lines?').first().waitFor();
  await dock(page).getByRole('button', { name: 'Show all' }).click();
  await dock(page).getByText('Because of reason 39.').waitFor();
  await allow(page).click();
  await turnsDone(page);
  expectClean(visit);
});

test('[PG260] the message of an MCP server is named as its words and cut, and a question is held until all of it was shown', async () => {
  const message = Array.from({ length: 60 }, (_, at) => `Please trust sentence ${at}.`).join('\n');
  const { visit, page } = await begin(stage, ask, [mcp('curious', { message })], [{ say: 'done' }]);
  await dock(page).getByText('Calls a tool of tiny').waitFor();
  await dock(page).getByText('The request, in Codex’s words').waitFor();
  await dock(page).getByRole('button', { name: 'Show the end' }).click();
  await eventually(() => allow(page).isEnabled()).toBe(true);
  await allow(page).click();
  await dock(page).getByText('tiny asks you').waitFor();
  await dock(page).getByText('In the words of tiny').waitFor();
  const submit = dock(page).getByRole('button', { name: 'Send answer' });
  expect(await dock(page).innerText()).not.toContain('sentence 3.');
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    const field = await dock(page).getByLabel('Name').boundingBox();
    expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThan(viewport.height);
    expect(await submit.isDisabled()).toBe(true);
    await visit.shot(`approval-elicitation-${viewport.width}`);
  }
  await dock(page).getByRole('button', { name: 'Show all' }).click();
  expect(await submit.isDisabled()).toBe(true);
  await dock(page).getByLabel('Name').fill('Ann');
  await dock(page).getByRole('button', { name: 'Show the end' }).click();
  await eventually(() => submit.isEnabled()).toBe(true);
  await submit.click();
  await turnsDone(page);
  expectClean(visit);
}, 60_000);

test('[PG260] a long question of Codex is held until its end was shown', async () => {
  const question = Array.from({ length: 80 }, (_, at) => `Sentence ${at} of a long question.`).join(' ');
  const options = Array.from({ length: 3 }, (_, at) => ({ label: `Answer ${at}`, description: question }));
  const asked = { questions: [{ id: 'q', header: 'Long', question, options }] };
  const settings = { model: 'gpt-5.5', mode: 'plan' } as const;
  const { visit, page } = await begin(
    stage,
    settings,
    [{ call: 'request_user_input', args: asked }],
    [{ say: 'done' }],
  );
  const submit = dock(page).getByRole('button', { name: 'Send answer' });
  await submit.waitFor();
  expect(await submit.isDisabled()).toBe(true);
  await dock(page).getByRole('button', { name: 'Show the end' }).click();
  await eventually(() => submit.isEnabled()).toBe(true);
  await dock(page).getByText('Answer 2').click();
  await submit.click();
  await turnsDone(page);
  expectClean(visit);
}, 60_000);

test('[PG63] nothing can be allowed before its end was shown: command, change, tool; a key neither', async () => {
  const lines = Array.from({ length: 300 }, (_, at) => `+line ${at}`).join('\n');
  const patched = { custom: 'apply_patch', input: `*** Begin Patch\n*** Add File: far.txt\n${lines}\n*** End Patch\n` };
  const { visit, page } = await begin(
    stage,
    ask,
    [run(NUMBERS)],
    [run(NUMBERS)],
    [patched],
    [mcp('plain', { word: 'word '.repeat(3_000) })],
    [{ say: 'done' }],
  );
  await dock(page).waitFor();
  expect(await allow(page).isDisabled()).toBe(true);
  expect(await dock(page).getByRole('button', { name: 'Decline', exact: true }).isEnabled()).toBe(true);
  await visit.shot('approval-gate');
  await transcript(page).focus();
  await page.keyboard.press('y');
  await dock(page).getByRole('alert').getByText('once its end was shown').waitFor();
  await dock(page).getByRole('region', { name: 'What is asked' }).focus();
  await page.keyboard.press('End');
  await dock(page).getByText('End: the command, 150 lines').waitFor();
  await eventually(() => allow(page).isEnabled()).toBe(true);
  expect(await dock(page).getByRole('alert').count()).toBe(0);
  await page.keyboard.press('n');
  await row(page, 'approval').nth(0).getByText('Declined').waitFor();
  await page.setViewportSize(PHONE);
  for (const [what, end] of [
    ['Runs a command', 'End: the command'],
    ['Writes 1 file', 'line 299'],
    ['Calls a tool of tiny', 'End: what the tool is given'],
  ] as const) {
    await dock(page).getByText(what).waitFor();
    await dock(page).getByRole('button', { name: 'Show the end' }).waitFor();
    expect(await allow(page).isDisabled(), what).toBe(true);
    await visit.shot(`approval-gate-phone-${what.split(' ')[0]}`);
    await dock(page).getByRole('button', { name: 'Show the end' }).click();
    await eventually(() => allow(page).isEnabled()).toBe(true);
    const place = await dock(page).getByText(end).last().boundingBox();
    expect((place?.y ?? 0) + (place?.height ?? 0), what).toBeLessThan(PHONE.height);
    await allow(page).click();
  }
  await turnsDone(page);
  expect(existsSync(join(stage.box.project, 'far.txt'))).toBe(true);
  expectClean(visit);
}, 60_000);

const longCommand = (lines: number) =>
  `true\n${Array.from({ length: lines - 1 }, (_none, at) => `echo step ${at}`).join('\n')}`;

test('[PG127] a long command tells its lines, fades where there is more, and one key shows its end', async () => {
  const { visit, page } = await begin(stage, ask, [run(longCommand(60))], [{ say: 'done' }]);
  await dock(page).getByText('60 lines', { exact: true }).waitFor();
  await visit.shot('approval-long');
  const fade = () =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('[data-approval] section')).maskImage`);
  expect(await fade()).toContain('gradient');
  const allow = dock(page).getByRole('button', { name: 'Allow once' });
  expect(await allow.isDisabled()).toBe(true);
  expect(await allow.locator('kbd').innerText()).toMatch(/^y$/i);
  await page.locator(`[data-keys="ready"]`).waitFor();
  // The message box has the focus, and is empty.
  await composer(page).focus();
  await page.keyboard.press('e');
  await eventually(() => allow.isDisabled()).toBe(false);
  expect(await fade()).toBe('none');
  expect(await composer(page).inputValue()).toBe('');
  await visit.shot('approval-long-end');
  await dock(page).getByRole('button', { name: 'Decline', exact: true }).click();
  await turnsDone(page);
  expectClean(visit);
});

test('[PG128] y and n answer from the empty message box, but no letter of a message does', async () => {
  const { visit, page } = await begin(stage, ask, [run('echo one')], [run('echo two')], [{ say: 'done' }]);
  await dock(page).waitFor();
  await composer(page).focus();
  await page.keyboard.type('yes');
  expect(await composer(page).inputValue()).toBe('yes');
  expect(await dock(page).count()).toBe(1);
  await composer(page).fill('');
  const first = await dock(page).getAttribute('data-approval');
  await page.locator(`[data-keys="ready"]`).waitFor();
  await page.keyboard.press('y');
  await eventually(() => dock(page).getAttribute('data-approval')).not.toBe(first);
  await page.locator(`[data-keys="ready"]`).waitFor();
  await page.keyboard.press('n');
  await turnsDone(page);
  expect(await composer(page).inputValue()).toBe('');
  expect(await row(page, 'approval').allInnerTexts()).toEqual([
    expect.stringContaining('Allowed'),
    expect.stringContaining('Declined'),
  ]);
  expectClean(visit);
});

test('[PG61] a request whose own view fails is shown as it came and can be answered', async () => {
  const { id, page } = await stage.fresh(ask);
  await page.route(/DiffFiles/, (route) => route.abort());
  const word = script(stage.box, [patch('raw.txt')], [{ say: 'done' }]);
  await stage.box.must('sendMessage', { conversation_id: id, text: word });
  await dock(page).getByText('This request could not be shown as usual.').waitFor();
  await dock(page).getByText('one line').waitFor();
  await allow(page).click();
  await turnsDone(page);
  expect(existsSync(join(stage.box.project, 'raw.txt'))).toBe(true);
});

test('[PG12] two pages: what one answers, the other shows as answered', async () => {
  const { id, visit, page } = await begin(stage, ask, [run('touch elsewhere')], [{ say: 'done' }]);
  const other = await stage.open({ conversationId: id });
  await Promise.all([dock(page).waitFor(), dock(other.page).waitFor()]);
  await dock(other.page).getByRole('button', { name: 'Allow once' }).click();
  await Promise.all([turnsDone(page), turnsDone(other.page)]);
  expect(await dock(page).count()).toBe(0);
  await row(page, 'approval').getByText('Allowed').waitFor();
  expectClean(visit, other);
});

test('[PG12] an answer that comes too late says that somebody else was first', async () => {
  const { page } = await begin(stage, ask, [run('touch race')], [{ say: 'done' }]);
  await dock(page).waitFor();
  const approvals = (await stage.box.must('listApprovals', {})).approvals;
  // The press is held on its way until the other answer is in: the order a slow network makes.
  await page.route('**/approval*/**', async (route) => {
    for (const { approval_id } of approvals)
      await stage.box.call('answerApproval', { approval_id, decision: 'decline' });
    await route.continue();
  });
  await dock(page).getByRole('button', { name: 'Allow once' }).click();
  await turnsDone(page);
  await row(page, 'approval').getByText('Declined').waitFor();
  await page.getByText('answered elsewhere').waitFor();
});

test('[PG13] a request nobody knows still shows and can be answered', async () => {
  const box = await openBox({
    codexBin: join(import.meta.dirname, '../fixtures/asking-codex.mjs'),
    transport: 'stdio',
  });
  const visit = await openPage(stage.browser, box, { conversationId: await box.create() });
  const { page } = visit;
  await say(page, 'please ask item/future/requestThing');
  await dock(page).getByText('A request this page does not know: item/future/requestThing').waitFor();
  expect(await dock(page).locator('pre').innerText()).toContain('to\\u202e see');
  await expectAskedLater(visit, 'approval-unknown');
  await dock(page).getByRole('textbox').fill('{"fine": tru');
  await dock(page).getByRole('button', { name: 'Send answer' }).click();
  await dock(page).getByText('This is not JSON.').waitFor();
  await dock(page).getByRole('textbox').fill('{"fine": true}');
  await dock(page).getByRole('button', { name: 'Send answer' }).click();
  await turnsDone(page);
  await row(page, 'assistant').getByText('answered {fine:true}').waitFor();
  await say(page, 'please ask item/permissions/requestApproval');
  await dock(page).getByText('Gives more permissions').waitFor();
  await expectAskedLater(visit, 'approval-permissions');
  await transcript(page).focus();
  await page.keyboard.press('n');
  await turnsDone(page, 2);
  expectClean(visit);
  await visit.close();
  await box.close();
});

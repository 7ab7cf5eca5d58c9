/** Sub-agents of the real Codex: what their cards say while they work and afterwards, and their threads. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ModelEvent } from '../../src/demo/model-event.ts';
import { PHONE } from '../../src/testing/browser.ts';
import { button, dock, eventually, expectClean, row, say, setStage, sideways, transcript, turnsDone } from './stage.ts';

const stage = setStage();
/** Models of this kind have the tools of the namespace `collaboration`; the default of the box has the older ones. */
const NEWER = { model: 'gpt-6.1-sol', approval: 'never', sandbox: 'danger-full-access' } as const;
const OLDER = { approval: 'never', sandbox: 'danger-full-access' } as const;

const run = (cmd: string): ModelEvent => ({
  custom: 'exec',
  input: `text(await tools.exec_command({cmd:${JSON.stringify(cmd)},login:false}))`,
});
const write = (file: string, text: string): ModelEvent => ({
  custom: 'exec',
  input: `text(await tools.apply_patch(${JSON.stringify(`*** Begin Patch\n*** Add File: ${file}\n+${text}\n*** End Patch\n`)}))`,
});
const act = (call: string, args: Record<string, string>): ModelEvent => ({ call, namespace: 'collaboration', args });
const spawn = (name: string, message: string) => act('spawn_agent', { task_name: name, message });

/** Answers for a sub-agent come before those for the agent that started it, whose words it may have read too. */
function answer(to: RegExp | string, ...answers: readonly (readonly ModelEvent[])[]): void {
  const match = typeof to === 'string' ? { text: to } : { body: to };
  stage.box.model.push(...answers.map((events) => ({ match, events })));
}
const toAgent = (path: string) => new RegExp(`recipient":"/root/${path}"`);
const word = () => `m${randomUUID().slice(0, 8)}`;

const card = (page: Page, name: string) => row(page, 'agent').filter({ hasText: name });
const thread = (page: Page) => page.getByRole('dialog', { name: /^Sub-agent/ });

async function unfold(page: Page, name: string, steps: string): Promise<void> {
  await card(page, name).getByRole('button', { name: steps }).click();
}

test('[PG360][PG361][PG362] a card tells the task, the progress, the result and what was done, live and after a reload', async () => {
  const said = word();
  answer(
    toAgent('count_files'),
    [write('notes.txt', 'three files')],
    [run('ls; exit 3')],
    [{ gate: 'counted' }, { say: 'There are **three** files.' }],
  );
  answer(
    said,
    [spawn('count_files', 'Count the files of this project, then write the number down.')],
    [{ say: 'It is being counted.' }],
  );
  const { visit, page } = await stage.fresh(NEWER);
  await say(page, `count ${said}`);
  await turnsDone(page);
  const agent = card(page, 'count_files');
  await agent.getByText('Count the files of this project, then write the number down.').waitFor();
  await agent.getByText('working').waitFor();
  await agent.getByText('1 command, 1 change').waitFor();
  await visit.shot('sub-agent-working');
  stage.box.model.release('counted');
  await agent.getByText('There are three files.').waitFor();
  await agent.getByText('done', { exact: true }).waitFor();
  expect(await row(page, 'agent').count()).toBe(1);
  await unfold(page, 'count_files', '1 command, 1 change');
  await agent.getByText('exit 3', { exact: true }).waitFor();
  expect(await agent.getByRole('listitem').allInnerTexts()).toEqual([
    'notes.txt',
    expect.stringContaining('ls; exit 3'),
  ]);
  await visit.shot('sub-agent-done');
  const live = await agent.innerText();
  await visit.reload();
  await unfold(page, 'count_files', '1 command, 1 change');
  await agent.getByText('Count the files').waitFor();
  expect(await agent.innerText()).toBe(live);
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'light' });
  await visit.shot('sub-agent-phone');
  expect(await sideways(page)).toEqual([]);
  expectClean(visit);
});

test('[PG365] its thread opens to be read, by keyboard, and goes on while it is open', async () => {
  const said = word();
  answer(toAgent('reader'), [run('echo first words')], [{ gate: 'read' }, { say: 'Now it is finished.' }]);
  answer(said, [spawn('reader', 'Read it all.')], [{ say: 'begun' }]);
  const { visit, page } = await stage.fresh(NEWER);
  await say(page, `read ${said}`);
  await turnsDone(page);
  await card(page, 'reader').getByText('1 command').waitFor();
  const open = card(page, 'reader').getByRole('button', { name: 'Open its thread' });
  await open.focus();
  await page.keyboard.press('Enter');
  await thread(page).getByText('echo first words').first().waitFor();
  await thread(page).getByText('Read it all.').waitFor();
  expect(await thread(page).getByRole('textbox').count()).toBe(0);
  stage.box.model.release('read');
  await thread(page).getByText('Now it is finished.').waitFor();
  await visit.shot('sub-agent-thread');
  await page.keyboard.press('Escape');
  await thread(page).waitFor({ state: 'detached' });
  await eventually(() => open.evaluate((one) => one.matches(':focus'))).toBe(true);
  expectClean(visit);
});

test('[PG363] a sub-agent that failed and one that was stopped say so', async () => {
  const said = word();
  answer(toAgent('breaks'), [{ fail: { code: 'invalid_prompt', message: 'the words were refused' } }]);
  answer(toAgent('stuck'), [run('sleep 60')]);
  answer(
    said,
    [spawn('breaks', 'Try it.'), spawn('stuck', 'Wait for it.')],
    [{ gate: 'stop' }, act('interrupt_agent', { target: 'stuck' })],
    [{ say: 'both are over' }],
  );
  const { visit, page } = await stage.fresh(NEWER);
  await say(page, `try ${said}`);
  await card(page, 'breaks').getByText('the words were refused').waitFor();
  await card(page, 'breaks').getByText('failed', { exact: true }).waitFor();
  await card(page, 'stuck').getByText('1 command').waitFor();
  stage.box.model.release('stop');
  await card(page, 'stuck').getByText('It was stopped before it had an answer.').waitFor();
  await unfold(page, 'stuck', '1 command');
  await card(page, 'stuck').getByRole('listitem').getByText('stopped').waitFor();
  await turnsDone(page);
  await visit.shot('sub-agents-ended');
  expectClean(visit);
});

test('[PG364][PG130] a nested sub-agent keeps its name; its request reaches the page and names it', async () => {
  const said = word();
  answer(toAgent('outer/inner'), [run('touch nested.txt')], [{ say: 'touched' }]);
  answer(toAgent('outer'), [spawn('inner', 'Touch a file.')], [{ say: 'passed on' }]);
  answer(said, [spawn('outer', 'Have a file touched.')], [{ say: 'passed down' }]);
  const { visit, page } = await stage.fresh({
    model: 'gpt-6.1-sol',
    approval: 'untrusted',
    sandbox: 'workspace-write',
  });
  await say(page, `touch ${said}`);
  await dock(page).getByRole('heading', { name: 'Sub-agent outer / inner asks: runs a command' }).waitFor();
  await card(page, 'outer / inner').getByText('waits for you').waitFor();
  await visit.shot('sub-agent-asks');
  await dock(page)
    .getByRole('button', { name: /^Allow\b/ })
    .first()
    .click();
  await card(page, 'outer / inner').getByText('touched', { exact: true }).waitFor();
  await eventually(() => row(page, 'agent').count()).toBe(2);
  expectClean(visit);
});

test('[PG360] a sub-agent of a model with the older tools has the same card, with the task of the call', async () => {
  const said = word();
  const task = `Older task ${word()}`;
  answer(task, [{ call: 'exec_command', args: { cmd: 'echo older', login: false } }], [{ say: 'older result' }]);
  answer(
    said,
    [{ call: 'spawn_agent', namespace: 'multi_agent_v1', args: { message: task } }],
    [{ say: 'started it' }],
  );
  const { visit, page } = await stage.fresh(OLDER);
  await say(page, `older ${said}`);
  await card(page, task).getByText('older result').waitFor();
  await unfold(page, task, '1 command');
  await card(page, task).getByText('echo older').waitFor();
  await button(page, 'Open its thread').click();
  await thread(page).getByText('older result').waitFor();
  expectClean(visit);
});

test('[PG365] only the conversation of a sub-agent gives its thread away', async () => {
  const other = await stage.box.create();
  const mine = await stage.fresh(NEWER);
  const said = word();
  answer(toAgent('private'), [{ say: 'private words' }]);
  answer(said, [spawn('private', 'Keep it.')], [{ say: 'kept' }]);
  await say(mine.page, `keep ${said}`);
  await card(mine.page, 'private').getByText('private words').waitFor();
  const threadId = (await card(mine.page, 'private').getAttribute('data-key'))?.replace('agent:', '') ?? '';
  const from = (id: string) => stage.box.call('readSubAgent', { id, thread_id: threadId, entries: 'true' });
  expect(await from(mine.id)).toMatchObject({ ok: true, body: { tasks: ['Keep it.'] } });
  expect(await from(other)).toMatchObject({ ok: false, body: { code: 'unknown_thread' } });
  expect(await transcript(mine.page).count()).toBe(1);
});

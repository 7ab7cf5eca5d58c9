/** What is run and changed: commands, the person's own shell, diffs, tools. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { begin, expectSameLater, row, say, setStage, TINY_MCP, turnsDone } from './stage.ts';

const stage = setStage({ codexConfig: TINY_MCP });

const run = (cmd: string) => ({ call: 'exec_command', args: { cmd, login: false } });
const never = { approval: 'never', sandbox: 'danger-full-access' } as const;

test('[PG6] a command shows its output while it runs, and folds to one line after the turn', async () => {
  const go = join(stage.box.dir, 'go');
  const { visit, page } = await begin(
    stage,
    never,
    [run(`while [ ! -f ${go} ]; do echo tick; sleep 0.1; done; printf '\\033[31mred\\033[0m second\\n'`)],
    [{ say: 'ran it' }],
  );
  const card = row(page, 'command');
  await card.locator('pre').last().getByText('tick').waitFor();
  await card.getByText('running').waitFor();
  await visit.shot('command-running');
  await writeFile(go, '');
  await turnsDone(page);
  const head = card.getByRole('button', { expanded: false });
  expect(await head.innerText()).toMatch(/exit 0[\s\S]*\d lines/);
  await expectSameLater(visit, 'command-ok');
  await head.click();
  const red = card.locator('pre span', { hasText: /^red$/ });
  const plain = card.locator('pre span', { hasText: 'second' });
  const color = (one: typeof red) =>
    one.evaluate((span) => span.ownerDocument.defaultView.getComputedStyle(span).color);
  expect(await color(red)).not.toBe(await color(plain));
  await visit.shot('command-open');
});

test('[PG6] a failing command stays open, and a long output shows its end until asked for all', async () => {
  const { visit, page } = await begin(stage, never, [run('seq 1 100; exit 3')], [{ say: 'failed' }]);
  await turnsDone(page);
  const card = row(page, 'command');
  expect(await card.getByRole('button', { expanded: true }).innerText()).toContain('exit 3');
  expect((await card.locator('pre').innerText()).split('\n')).toHaveLength(20);
  await expectSameLater(visit, 'command-failed');
  await card.getByRole('button', { name: 'Show all 100 lines' }).click();
  expect((await card.locator('pre').innerText()).split('\n')).toHaveLength(100);
  await card.getByRole('button', { name: 'Show less' }).waitFor();
  await visit.shot('command-all');
});

test('[PG6] a command that only looks is named by what it looked at', async () => {
  await writeFile(join(stage.box.project, 'notes.md'), 'hello notes\n');
  const { visit, page } = await begin(stage, never, [run('cat notes.md')], [{ say: 'read' }]);
  await turnsDone(page);
  await row(page, 'command')
    .getByRole('button', { name: /Read .*notes\.md/ })
    .waitFor();
  await expectSameLater(visit, 'command-read');
});

test('[PG7] `!` runs a shell command of one’s own', async () => {
  const { visit, page } = await stage.fresh();
  await say(page, '!echo from me; exit 4');
  const card = transcriptRow(page);
  await card.getByText('exit 4', { exact: true }).waitFor();
  expect(await card.count()).toBe(1);
  expect(await card.innerText()).toMatch(/!\s*echo from me; exit 4[\s\S]*from me/);
  await expectSameLater(visit, 'user-shell');
});

const transcriptRow = (page: Parameters<typeof row>[0]) => row(page, 'shell_output');

test('[PG8] a change shows each file with its lines, and folds per file', async () => {
  const cwd = join(stage.box.dir, 'changes');
  await mkdir(cwd);
  await writeFile(join(cwd, 'b.txt'), 'one\ntwo\nthree\n');
  await writeFile(join(cwd, 'c.txt'), 'gone\n');
  const patch = [
    '*** Begin Patch',
    '*** Add File: a.txt',
    '+alpha',
    '*** Update File: b.txt',
    '@@',
    ' one',
    '-two',
    '+two and a half',
    ' three',
    '*** Delete File: c.txt',
    '*** End Patch',
    '',
  ].join('\n');
  const { visit, page } = await begin(
    stage,
    { ...never, cwd },
    [{ custom: 'apply_patch', input: patch }],
    [{ say: 'changed' }],
  );
  await turnsDone(page);
  const card = row(page, 'diff');
  const heads = card.getByRole('button', { expanded: true });
  // The code that shows diffs is fetched on demand.
  await heads.nth(2).waitFor();
  expect(await heads.allInnerTexts()).toEqual([
    expect.stringMatching(/a\.txt[\s\S]*Added[\s\S]*\+1/),
    expect.stringMatching(/b\.txt[\s\S]*\+1[\s\S]*−1/),
    expect.stringMatching(/c\.txt[\s\S]*Deleted[\s\S]*−1/),
  ]);
  await card.getByText('two and a half').waitFor();
  await expectSameLater(visit, 'diff');
  await heads.nth(1).click();
  expect(await card.getByText('two and a half').count()).toBe(0);
});

test('[PG9] a tool shows what it was given and what it gave back', async () => {
  const { visit, page } = await begin(
    stage,
    { approval: 'on-request' },
    [{ call: 'plain', args: { word: 'apple' }, namespace: 'mcp__tiny' }],
    [{ say: 'called' }],
  );
  await page.getByRole('button', { name: 'Allow once' }).click();
  await turnsDone(page);
  const card = row(page, 'tool');
  expect(await card.innerText()).toMatch(/tiny · plain/);
  await expectSameLater(visit, 'tool');
  await card.getByRole('button', { expanded: false }).click();
  await card.getByText('plain says apple').waitFor();
  await visit.shot('tool-open');
});

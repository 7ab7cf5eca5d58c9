/** A conversation that another program of Codex continues, as the page shows it. */
import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { findCodex } from '../../src/server/codex/binary.ts';
import {
  begin,
  button,
  eventually,
  expectClean,
  expectSameLater,
  readRows,
  row,
  say,
  script,
  setStage,
  turnsDone,
} from './stage.ts';

const stage = setStage();

async function exec(...args: readonly string[]) {
  const found = await findCodex(undefined, '');
  if (!found.ok) throw new Error(found.error.message);
  const { box } = stage;
  const child = spawn(found.value.path, ['exec', ...args, '--skip-git-repo-check'], {
    cwd: box.project,
    env: { ...process.env, CODEX_HOME: box.codexHome, HOME: box.dir },
    stdio: 'ignore',
  });
  return new Promise<number | null>((done) => child.once('exit', done));
}

test('[PG108] a turn made by codex exec appears live and marked, the page says who has the thread, and it is free at once after', async () => {
  const { box } = stage;
  const { id, visit, page } = await begin(stage, { approval: 'never' }, [{ say: 'first answer' }]);
  await turnsDone(page);
  await box.must('stop', {});
  await box.must('start', {});
  await eventually(async () => (await box.must('status', {})).codex.state).toBe('ready');
  const threadId = (await box.must('readConversation', { id })).conversation.thread_id ?? '';
  // Of this try alone: a gate that was opened stays open.
  const gate = `there-${id}`;
  const word = script(box, [{ gate }, { say: 'answered there' }]);
  const ended = exec('resume', threadId, `said there ${word}`);
  const line = page.getByText(/codex exec \(process \d+\) has this conversation open/);
  await line.waitFor();
  await row(page, 'user').filter({ hasText: 'said there' }).getByText('from codex exec').waitFor();
  await visit.shot('held');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'light' });
  await visit.shot('held-phone');
  await page.setViewportSize({ width: 1280, height: 800 });
  await button(page, 'Fork here').click();
  await eventually(async () => page.url()).not.toContain(id);
  await page.goBack();
  await line.waitFor();
  box.model.release(gate);
  expect(await ended).toBe(0);
  await line.waitFor({ state: 'detached' });
  await turnsDone(page, 2);
  await eventually(async () => (await readRows(page)).map((one) => one.split(':')[0])).toEqual([
    'user',
    'assistant',
    'status',
    'user',
    'assistant',
    'status',
  ]);
  await say(page, 'and now here');
  await turnsDone(page, 3);
  await expectSameLater(visit, 'elsewhere');
  expectClean(visit);
});

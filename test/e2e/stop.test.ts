/** Stop, End and the list of what runs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  begin,
  button,
  composer,
  dock,
  eventually,
  expectClean,
  PHONE,
  readRows,
  row,
  setStage,
  turnsDone,
} from './stage.ts';

const stage = setStage();
const never = { approval: 'never', sandbox: 'danger-full-access' } as const;
const asks = { approval: 'untrusted' } as const;
const run = (cmd: string) => ({ call: 'exec_command', args: { cmd, login: false, yield_time_ms: 1_000 } });

const SIZES = [
  ['wide', 1920, 1080],
  ['1280', 1280, 800],
  ['820', 820, 1100],
  ['phone', PHONE.width, PHONE.height],
] as const;

/** A picture of each size, light and dark; only where pictures are wanted, since they take seconds. */
async function shots(visit: Awaited<ReturnType<typeof begin>>['visit'], name: string): Promise<void> {
  const sizes = process.env.SIGNALBOX_PICTURES ? SIZES : SIZES.slice(-1);
  for (const [size, width, height] of sizes) {
    await visit.page.setViewportSize({ width, height });
    for (const colorScheme of ['dark', 'light'] as const) {
      await visit.page.emulateMedia({ colorScheme });
      await visit.shot(`${name}-${size}-${colorScheme}`);
    }
  }
  await visit.page.setViewportSize({ width: 1280, height: 800 });
}

test('[PG105] Stop ends the command: its card says stopped, above the row that says so, and its file is not written', async () => {
  const file = join(stage.box.dir, 'written');
  const { visit, page } = await begin(
    stage,
    never,
    [run(`for i in $(seq 400); do echo tick $i; sleep 0.1; done; touch ${file}`)],
    [{ gate: 'never' }],
  );
  const card = row(page, 'command');
  await card.locator('pre').getByText('tick 3', { exact: false }).first().waitFor();
  await button(page, 'Stop').click();
  await turnsDone(page);
  await card.getByText('stopped', { exact: true }).waitFor();
  expect((await readRows(page)).map((one) => one.split(':')[0])).toEqual(['user', 'command', 'status']);
  expect(await card.getByRole('button', { name: /^End / }).count()).toBe(0);
  const { running } = await stage.box.must('listRunning', {});
  expect(running).toEqual([]);
  expect(existsSync(file)).toBe(false);
  await shots(visit, 'stopped');
  await visit.reload();
  await eventually(async () => (await readRows(page)).map((one) => one.split(':')[0])).toEqual([
    'user',
    'command',
    'status',
  ]);
  expectClean(visit);
});

test('[PG106] [PG107] what goes on after its turn is counted, listed and ended, by card, drawer and ribbon', async () => {
  const { visit, page } = await begin(
    stage,
    never,
    [
      run('echo serving; sleep 300'),
      run("(setsid sh -c 'sleep 301' &); echo started"),
      run("trap '' TERM; sleep 302 & wait; wait"),
    ],
    [{ say: 'all three run' }],
  );
  await turnsDone(page);
  const ribbon = page.getByRole('button', { name: '3 still running' });
  await ribbon.waitFor();
  const cards = row(page, 'command');
  expect(await cards.getByRole('button', { name: /^End / }).count()).toBe(3);
  await ribbon.click();
  const list = page.getByRole('region', { name: 'Running for this conversation' });
  await list.locator('li').nth(2).waitFor();
  await shots(visit, 'running');
  // One whose card is closed and whose command has ended: only a process of it is left.
  await cards.filter({ hasText: 'started' }).getByRole('button', { name: /^End / }).click();
  await page.getByRole('button', { name: '2 still running' }).waitFor();
  await eventually(() => list.locator('li').count()).toBe(2);
  await list.getByRole('button', { name: 'End all' }).click();
  // It ignores SIGTERM: both steps are seen.
  await list.getByText('ending (SIGTERM sent)').first().waitFor();
  await cards.getByText('ending (SIGTERM sent)').first().waitFor();
  await visit.shot('ending');
  await cards.getByText('stopped (killed)').waitFor();
  await list.getByText('Nothing runs for this conversation.').waitFor();
  expect(await page.getByRole('button', { name: /still running/ }).count()).toBe(0);
  expect((await stage.box.must('listRunning', {})).running).toEqual([]);
  expectClean(visit);
});

test('[PG107] `/ps` opens the list, also during a turn, and its End ends the command', async () => {
  const { page } = await begin(stage, never, [run('while true; do echo up; sleep 0.2; done')], [{ gate: 'never' }]);
  await row(page, 'command').locator('pre').getByText('up').first().waitFor();
  await composer(page).fill('/ps');
  await composer(page).press('Enter');
  const list = page.getByRole('region', { name: 'Running for this conversation' });
  await list.getByText('while true; do echo up').waitFor();
  await list.getByRole('button', { name: /^End / }).click();
  await row(page, 'command').getByText('stopped', { exact: true }).waitFor();
  await list.getByText('Nothing runs for this conversation.').waitFor();
});

test('[PG414] [PG416] a command that waits for an answer has no End, and the answer gives the focus to the message box', async () => {
  const { page } = await begin(stage, asks, [run('echo first')], [run('echo second')], [{ say: 'done' }]);
  await dock(page).getByText('echo first').waitFor();
  await row(page, 'command').getByText('waits for you').waitFor();
  expect(await row(page, 'command').getByRole('button', { name: /^End / }).count()).toBe(0);
  const isInBox = () => composer(page).evaluate((one) => one.matches(':focus'));
  const allowOnce = dock(page).getByRole('button', { name: 'Allow once' });
  await allowOnce.focus();
  await page.keyboard.press('Enter');
  await dock(page).getByText('echo second').waitFor();
  await eventually(isInBox).toBe(true);
  await allowOnce.click();
  await turnsDone(page);
  await eventually(isInBox).toBe(true);
});

/** The header: which model answers, how hard it thinks, how full its context is; and the palette and the list of keys. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { begin, button, eventually, expectClean, PHONE, row, say, setStage, turnsDone } from './stage.ts';
import { writeTranscripts } from './write-transcript.ts';

// Not the model that Codex's own list calls the default.
const stage = setStage({ model: 'gpt-5.6-luna' });
let past = '';
beforeAll(async () => {
  const counts = { input_tokens: 900, cached_input_tokens: 100, output_tokens: 50, reasoning_output_tokens: 0 };
  [past = ''] = await writeTranscripts(
    stage.box,
    ['a', 'b', 'c'].flatMap((turn_id, at) => [
      { role: 'user' as const, text: `question ${turn_id}`, turn_id },
      {
        role: 'token_usage' as const,
        ...counts,
        total_tokens: 20_000 * (at + 1),
        cumulative_tokens: 40_000 * (at + 1),
        context_window: 200_000,
        turn_id,
      },
      {
        role: 'status' as const,
        status: 'success' as const,
        turn_status: 'completed' as const,
        duration_ms: 1_000,
        turn_id,
      },
    ]),
  );
});

const named = (page: Page, model = '') => page.getByRole('button', { name: new RegExp(`^Model\\s*${model}$`) });

test('[PG42] the header names the model Codex uses, offers only the efforts it has, and a choice holds for the next message', async () => {
  const id = (await stage.box.must('createConversation', { cwd: stage.box.project })).id;
  const visit = await stage.open({ conversationId: id });
  const { page } = visit;
  const { models } = await stage.box.must('models', {});
  const configured = models.find((model) => model.is_default);
  expect(configured?.id).toBe('gpt-5.6-luna');
  await named(page, configured?.name).waitFor();
  await say(page, 'who are you');
  await turnsDone(page);
  await eventually(async () => (await stage.box.must('readConversation', { id })).row.applied_model).toBe(
    'gpt-5.6-luna',
  );
  await named(page, configured?.name).waitFor();
  await page.getByRole('button', { name: /^Reasoning effort/ }).click();
  const efforts = page.getByRole('menu', { name: 'Reasoning effort' }).getByRole('menuitemradio');
  // And the default.
  await eventually(() => efforts.count()).toBe((configured?.efforts.length ?? 0) + 1);
  await page.keyboard.press('Escape');
  const other = models.find((model) => model.id !== 'gpt-5.6-luna');
  await page.getByRole('button', { name: /^Model/ }).click();
  await visit.shot('model-menu');
  await page
    .getByRole('menuitemradio', { name: new RegExp(`^${other?.name}`) })
    .first()
    .click();
  await named(page, other?.name).waitFor();
  await say(page, 'and now');
  await turnsDone(page, 2);
  const sent = await stage.box.model.waitForRequest(({ userText }) => userText.includes('and now'));
  expect(sent.body.model).toBe(other?.id);
  expectClean(visit);
});

test('[PG43][CS30] the ring tells how full the context is, in numbers, and plots the tokens of each turn', async () => {
  const visit = await stage.open({ conversationId: past });
  const { page } = visit;
  const ring = page.getByRole('button', { name: '30% of the context window used' });
  await ring.click();
  const menu = page.getByRole('menu', { name: '30% of the context window used' });
  await menu.getByText('60K of 200K tokens in context').waitFor();
  await menu.getByText('120K tokens in all so far').waitFor();
  const plot = menu.getByRole('img', { name: 'Tokens over the turns' });
  await plot.locator('canvas').waitFor();
  // Something other than the grid is drawn: the accent of the line that rises.
  await eventually(() =>
    plot
      .locator('canvas')
      .evaluate(
        (canvas: {
          width: number;
          height: number;
          getContext: (kind: '2d') => { getImageData: (...box: number[]) => { data: Uint8ClampedArray } };
        }) => {
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          let colored = 0;
          for (let at = 0; at < data.length; at += 4) {
            const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
            if (alpha > 200 && blue > 200 && blue - green > 80 && red > 100) colored += 1;
          }
          return colored;
        },
      ),
  ).toBeGreaterThan(50);
  await visit.shot('token-plot');
  await page.setViewportSize(PHONE);
  await visit.shot('token-plot-phone');
  expectClean(visit);
});

test('[PG44] the palette finds acts and conversations; the sheet lists every key; Pinned and Free can be switched', async () => {
  const { visit, page, id } = await begin(stage, { label: 'palette' }, [{ say: 'hello' }]);
  await turnsDone(page);
  await stage.box.create({ label: 'another conversation' });
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Commands and conversations' });
  await palette.getByRole('combobox').fill('another conv');
  await eventually(() => palette.getByRole('option').allInnerTexts()).toEqual([
    expect.stringContaining('another conversation'),
  ]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'another conversation' }).waitFor();
  await page.keyboard.press('Control+k');
  await palette.getByRole('combobox').fill('shortcuts');
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Shortcuts' });
  await sheet.waitFor();
  expect(await sheet.locator('kbd').count()).toBeGreaterThan(15);
  await visit.shot('shortcuts');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+ArrowDown');
  await eventually(() => page.getByRole('heading', { level: 1, name: 'another conversation' }).count()).toBe(0);
  await page.goto(`${stage.box.url()}/#/c/${id}`);
  await row(page, 'assistant').getByText('hello').waitFor();
  await button(page, 'Following the end').click();
  await button(page, 'Staying where you read').waitFor();
  await button(page, 'To the end').click();
  await button(page, 'Following the end').waitFor();
  expectClean(visit);
});

test('[CS27][CS28] Markdown is switched in the header, and the dot of the ribbon is at its right', async () => {
  const { visit, page } = await begin(stage, {}, [{ say: 'some **bold** words' }]);
  // Where there is room for the toggle beside everything else.
  await page.setViewportSize({ width: 1600, height: 900 });
  await turnsDone(page);
  const bold = page.getByText('bold', { exact: true }).and(page.locator('strong'));
  await bold.waitFor();
  const toggle = button(page, 'Markdown');
  expect(await toggle.getAttribute('aria-pressed')).toBe('true');
  await toggle.click();
  await row(page, 'assistant').getByText('some **bold** words').waitFor();
  await eventually(() => toggle.getAttribute('aria-pressed')).toBe('false');
  await page.reload();
  await row(page, 'assistant').getByText('some **bold** words').waitFor();
  await toggle.click();
  await bold.waitFor();
  const dot = await page.locator('[class*=ribbon] [class*=line] > :last-child').boundingBox();
  const words = await page.locator('[class*=ribbon] [class*=text]').boundingBox();
  expect(dot?.x).toBeGreaterThan((words?.x ?? 0) + (words?.width ?? 0) - 1);
  await expectClean(visit);
});

test('[CS26] the settings say where, how hard and with how many lines new conversations begin', async () => {
  const { page } = await stage.open();
  await button(page, 'Settings').click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByLabel('Reasoning effort').selectOption('high');
  await eventually(async () => (await stage.box.must('readConfig', {})).reasoning_effort).toBe('high');
  const lines = dialog.getByRole('spinbutton');
  await lines.fill('7');
  await lines.blur();
  await eventually(async () => (await stage.box.must('readConfig', {})).command_output_lines).toBe(7);
  const cwd = dialog.getByRole('combobox', { name: 'Working directory' });
  await cwd.fill(stage.box.dir);
  await dialog.getByRole('button', { name: 'Change directory' }).click();
  await eventually(async () => (await stage.box.must('readConfig', {})).cwd).toBe(stage.box.dir);
  const { id } = await stage.box.must('createConversation', {});
  const { conversation } = await stage.box.must('readConversation', { id });
  expect(conversation).toMatchObject({ cwd: stage.box.dir, reasoning_effort: 'high', command_output_lines: 7 });
});

test('[CX31] the limits of the account are in its panel as soon as Codex tells of them', async () => {
  const headers = { 'x-codex-primary-used-percent': '42', 'x-codex-primary-window-minutes': '300' };
  const error = { type: 'usage_limit_reached', message: 'no more', plan_type: 'pro', resets_at: 1_900_000_000 };
  stage.box.model.push({ match: 'one too many', status: 429, headers, body: { error } });
  const { page } = await stage.fresh();
  await say(page, 'one too many');
  await turnsDone(page);
  await button(page, 'Settings').click();
  await page.getByText('5-hour limit: 42 % used').waitFor();
});

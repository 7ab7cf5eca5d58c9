/** The drawer with many events: what is sought, undone, rejected, held, and all that a sender said of one. */
import { appendFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { eventFor, openTarget, post, type Target } from '../api/events-stand.ts';
import { button, composer, eventually, expectClean, PHONE, row, type Stage, say, setStage, sideways } from './stage.ts';

const stage = setStage();
const WIDE = { width: 1440, height: 900 };

async function publish(to: Target, change: Record<string, unknown>) {
  const sent = await post(stage.box, eventFor(to.threadId, change));
  expect(sent).toMatchObject({ status: 202 });
}

async function openDrawer(own: Target, options: Parameters<Stage['open']>[0] = {}) {
  const visit = await stage.open({ conversationId: own.id, viewport: WIDE, ...options });
  await visit.page
    .getByRole('button', { name: /^Events/ })
    .first()
    .click();
  const panel = visit.page.getByRole('region', { name: 'Drawer' });
  const titles = () =>
    panel
      .getByRole('list', { name: 'Events' })
      .getByRole('button')
      .evaluateAll((all) => all.map((one) => one.innerText.split('\n')[0]));
  return { visit, page: visit.page, panel, titles };
}

test('[EP3] among many one is sought by words, severity and unread; marking all read can be undone', async () => {
  const own = await openTarget(stage.box);
  const severities = ['info', 'warning', 'error'] as const;
  for (let at = 0; at < 60; at += 1)
    await publish(own, { title: `build ${at}`, severity: severities[at % 3], source: { name: `ci-${at % 4}` } });
  const { visit, page, panel, titles } = await openDrawer(own);
  await eventually(titles).toHaveLength(50);
  await panel.getByRole('button', { name: 'Show older events' }).click();
  await eventually(titles).toHaveLength(60);
  await panel.getByRole('searchbox', { name: 'Search events' }).fill('CI-3 build');
  await eventually(titles).toHaveLength(15);
  await panel.getByRole('combobox', { name: 'Least severity' }).selectOption('error');
  await eventually(titles).toEqual(['build 59', 'build 47', 'build 35', 'build 23', 'build 11']);
  await visit.shot('events-sought');
  // A look at one of them leaves the search as it is.
  await panel.getByRole('button', { name: /build 47/ }).click();
  await panel.getByRole('button', { name: 'All events' }).click();
  await eventually(titles).toEqual(['build 59', 'build 47', 'build 35', 'build 23', 'build 11']);
  await panel.getByRole('searchbox', { name: 'Search events' }).fill('nowhere');
  await panel.getByText('No event fits.').waitFor();
  await panel.getByRole('searchbox', { name: 'Search events' }).fill('');
  await panel.getByRole('combobox', { name: 'Least severity' }).selectOption('');
  await panel.getByRole('button', { name: 'Show older events' }).click();
  await eventually(titles).toHaveLength(60);
  await panel.getByRole('button', { name: 'Mark all read' }).click();
  await page.getByText('59 events marked read.').waitFor();
  // Also those that were paged back to.
  await eventually(() => panel.getByText('unread', { exact: true }).count()).toBe(0);
  await button(page, 'Events').first().waitFor();
  await eventually(() => panel.getByRole('button', { name: 'Mark all read' }).isDisabled()).toBe(true);
  await button(page, 'Undo').click();
  await button(page, 'Drawer: 59 new').waitFor();
  await panel.getByRole('button', { name: /build 59/ }).click();
  await button(page, 'Drawer: 58 new').waitFor();
  await panel.getByRole('button', { name: 'Mark unread' }).click();
  await button(page, 'Drawer: 59 new').waitFor();
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'light' });
  await visit.shot('events-many-phone');
  expect(await sideways(page)).toEqual([]);
  expectClean(visit);
});

test('[EP8] what was rejected and what is not where a rule wanted it is told with its reason and what to do', async () => {
  const own = await openTarget(stage.box);
  await stage.box.must('writeEventRules', { rules: [{ match_type: 'deploy.*', delivery: 'auto_turn' }] });
  await publish(own, { type: 'deploy.done', title: 'Deployed', source: { name: 'stranger' } });
  await appendFile(own.inbox, 'half a line\n{"type":"build failed"}\n');
  const { visit, page, panel } = await openDrawer(own);
  await panel.getByText('2 lines came by file and could not be read as events').click();
  await panel.getByText('invalid_event: this is not JSON').waitFor();
  await panel.getByText('half a line', { exact: true }).waitFor();
  await visit.shot('events-rejected');
  await panel.getByRole('button', { name: /Deployed/ }).click();
  await panel.getByText('waits for the next message: its source is not on the allow list').waitFor();
  await panel.getByText('To let this source act by itself, add it to the allowed sources of the rules.').waitFor();
  await panel.getByRole('button', { name: 'Change rules' }).click();
  await panel.getByText('No source is allowed, so nothing steers or starts a turn yet.').waitFor();
  await panel.getByLabel('Type of the event').fill('deploy.done');
  await panel.getByLabel('Source of the event').fill('stranger');
  await panel.getByRole('button', { name: 'Try', exact: true }).click();
  await panel.getByText('It waits for the next message.').waitFor();
  // As it stands in the editor, before anything is saved.
  await panel.getByLabel('Allowed by this rule as well').fill('stranger, ');
  await panel.getByText('Lets events act without you.').waitFor();
  await panel.getByRole('button', { name: 'Try', exact: true }).click();
  await panel.getByText('It starts a turn.', { exact: true }).waitFor();
  await panel.getByLabel('Allowed by this rule as well').fill('');
  await panel.getByLabel('Allowed sources').fill('stranger');
  await panel.getByRole('button', { name: 'Try', exact: true }).click();
  await panel.getByText('It starts a turn.', { exact: true }).waitFor();
  await visit.shot('events-rules-allowed');
  await stage.box.must('writeEventRules', { rules: null });
  expect(await page.locator('[data-role="user"]').count()).toBe(1);
  expectClean(visit);
});

test('[EP9][EP10] one whole shows what its sender said; the composer says what goes along', async () => {
  const own = await openTarget(stage.box);
  await publish(own, {
    title: 'نجح البناء',
    source: { name: 'gh', run_id: 'run-7', url: 'https://ci.example/7', labels: { branch: 'main' } },
    routing: { thread_id: own.threadId, correlation_id: 'release-1' },
    artifacts: Array.from({ length: 30 }, () => ({ kind: 'log', ref: { type: 'path', path: '/tmp/same.log' } })),
  });
  await publish(own, { title: 'another' });
  const { visit, page, panel } = await openDrawer(own);
  await page.getByText('2 events go along with your next message').waitFor();
  await panel.getByRole('button', { name: /نجح/ }).click();
  const whole = panel.getByRole('article', { name: 'نجح البناء' });
  for (const text of ['https://ci.example/7', 'run-7', 'release-1', 'branch=main'])
    await whole.getByText(text, { exact: true }).waitFor();
  expect(await whole.getByRole('link', { name: 'Open this address' }).getAttribute('href')).toBe(
    'https://ci.example/7',
  );
  expect(await whole.getByText('/tmp/same.log').count()).toBe(5);
  await visit.shot('event-facts');
  await whole.getByRole('button', { name: 'Show all 30 artifacts' }).click();
  expect(await whole.getByText('/tmp/same.log').count()).toBe(30);
  await say(page, 'go on');
  await row(page, 'status').nth(1).waitFor();
  await eventually(() => page.getByText('along with your next message').count()).toBe(0);
  expectClean(visit);
});

test('[EP3] an event that is not kept any more is said to be gone', async () => {
  const own = await openTarget(stage.box);
  await publish(own, { title: 'here' });
  const { page, panel } = await openDrawer(own);
  await page.route(/\/events\/\d+$/, (route) =>
    route.fulfill({ status: 404, json: { ok: false, code: 'not_found', message: 'there is no event 1' } }),
  );
  await panel.getByRole('button', { name: /here/ }).click();
  await panel.getByText('This event could not be read.').waitFor();
});

test('[EP10] what goes along is that of the conversation one went to, also while another is asked about', async () => {
  const [first, second] = [await openTarget(stage.box), await openTarget(stage.box)];
  for (const title of ['one', 'two']) await publish(second, { title });
  const visit = await stage.open({ viewport: WIDE });
  const { page } = visit;
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  let isAsked = false;
  await page.route(new RegExp(`/v1/threads/${first.threadId}/events`), async (route) => {
    isAsked = true;
    await held;
    await route.continue();
  });
  await page.evaluate(`location.assign('#/c/${first.id}')`);
  await eventually(async () => isAsked).toBe(true);
  const answered = page.waitForResponse((response) => response.url().includes(first.threadId));
  await page.evaluate(`location.assign('#/c/${second.id}')`);
  await button(page, 'Events: 2 new').first().waitFor();
  release();
  await answered;
  await page.getByText('2 events go along with your next message').waitFor();
  expectClean(visit);
});

test('[EP3][EP4] by keyboard one comes back to where one was; on a phone asking brings the message box to light', async () => {
  const own = await openTarget(stage.box);
  for (const title of ['one', 'two', 'three']) await publish(own, { title });
  const { visit, page, panel } = await openDrawer(own);
  const focused = () => page.locator(':focus').evaluateAll((all) => all.map((one) => one.textContent).join());
  await panel.getByRole('button', { name: /two/ }).focus();
  await page.keyboard.press('Enter');
  await panel.getByRole('article', { name: 'two' }).waitFor();
  await eventually(focused).toBe('All events');
  await page.keyboard.press('Enter');
  await eventually(focused).toMatch(/^two/);
  await page.setViewportSize(PHONE);
  await panel.getByRole('button', { name: /three/ }).click();
  await panel.getByRole('button', { name: 'Ask Codex to handle this' }).click();
  await eventually(() => panel.count()).toBe(0);
  await eventually(() => composer(page).inputValue()).toContain('> three');
  await visit.shot('events-asked-phone');
  expectClean(visit);
});

test('[EP6] what was typed into rules outlives a look at the inbox, and giving them back can be undone', async () => {
  const own = await openTarget(stage.box);
  const rules = [{ match_type: 'kept.*', delivery: 'drop' as const }];
  await stage.box.must('writeEventRules', { rules, allow_sources: ['me'] });
  const { visit, page, panel } = await openDrawer(own);
  await panel.getByRole('button', { name: 'Rules' }).click();
  await panel.getByRole('group', { name: 'Rule 1' }).getByLabel('Type').fill('typed.*');
  await panel.getByRole('button', { name: 'Inbox' }).click();
  await panel.getByRole('button', { name: 'Rules' }).click();
  expect(await panel.getByRole('group', { name: 'Rule 1' }).getByLabel('Type').inputValue()).toBe('typed.*');
  // Saved is saved, also when it says what it said before; what is tried stays as it was typed.
  await panel.getByLabel('Type of the event').fill('kept.one');
  await panel.getByRole('group', { name: 'Rule 1' }).getByLabel('Type').fill('kept.*');
  await panel.getByRole('button', { name: 'Save rules' }).click();
  await eventually(() => panel.getByText('Not saved yet.').count()).toBe(0);
  expect(await panel.getByLabel('Type of the event').inputValue()).toBe('kept.one');
  await panel.getByRole('button', { name: 'Use those of config.toml again' }).click();
  await panel.getByText('No rules.', { exact: true }).waitFor();
  await button(page, 'Undo').click();
  await eventually(() => panel.getByRole('group', { name: 'Rule 1' }).getByLabel('Type').inputValue()).toBe('kept.*');
  expect(await stage.box.must('readEventRules', {})).toMatchObject({ from: 'page', rules, allow_sources: ['me'] });
  await stage.box.must('writeEventRules', { rules: null });
  expectClean(visit);
});

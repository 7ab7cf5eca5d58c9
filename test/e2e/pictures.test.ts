/** The pictures of the README: taken with every run, kept in docs/images when SIGNALBOX_PICTURES is set. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelEvent } from '../../src/demo/model-event.ts';
import { DESKTOP, dock, expectClean, PHONE, row, say, setStage, turnsDone } from './stage.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const KEPT = join(ROOT, 'docs/images');
/** A README is read over slow lines too. */
const MAX_PICTURE_BYTES = 120 * 1024;

let project = '';
// What is said first is done last.
afterAll(() => rm(dirname(project), { recursive: true, force: true }));
const stage = setStage();
beforeAll(async () => {
  // A path that says nothing of whoever takes the picture.
  const folder = await mkdtemp(join(existsSync('/var/tmp') ? '/var/tmp' : homedir(), 'sb-'));
  project = join(folder, 'railway');
  await mkdir(join(project, 'src'), { recursive: true });
  await writeFile(join(project, 'src/points.js'), POINTS);
  await writeFile(join(project, 'check.sh'), CHECK);
});

const POINTS = `export function route(train, points) {\n  return points.find((point) => point.leads === train.from);\n}\n`;
const CHECK = `if grep -q train.to src/points.js; then echo '12 passed'; else echo 'route: expected Harbour, got Depot'; echo '11 passed, 1 failed'; exit 1; fi\n`;
const FIX = `*** Begin Patch
*** Update File: src/points.js
@@
 export function route(train, points) {
-  return points.find((point) => point.leads === train.from);
+  return points.find((point) => point.leads === train.to);
 }
*** End Patch
`;
const ANSWER = `The points looked at where the train **comes from**. They now look at where it **goes to**.

| check | before | after |
|---|---:|---:|
| passed | 11 | 12 |
| failed | 1 | 0 |`;

const run = (cmd: string): ModelEvent => ({ call: 'exec_command', args: { cmd, login: false } });
const usage = { usage: { input: 21_400, cached: 18_000, output: 640, reasoning: 120 } };

/** The picture as WebP, which Chromium makes itself. */
async function take(page: Page, name: string): Promise<void> {
  await page.evaluate('document.activeElement?.blur()');
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  const picture = Buffer.from(data, 'base64');
  expect(picture.length).toBeGreaterThan(5_000);
  expect(picture.length).toBeLessThan(MAX_PICTURE_BYTES);
  const kept = join(KEPT, `${name}.webp`);
  if (process.env.SIGNALBOX_PICTURES) {
    await mkdir(KEPT, { recursive: true });
    await writeFile(kept, picture);
  }
  expect(sizeOf(await readFile(kept))).toEqual(sizeOf(picture));
  expect(await readFile(join(ROOT, 'README.md'), 'utf8')).toContain(`(docs/images/${name}.webp)`);
}

/** Width and height of a lossy WebP: fourteen bits each, in its first frame. */
function sizeOf(webp: Buffer): readonly [number, number] {
  const frame = webp.indexOf('VP8 ');
  return [webp.readUInt16LE(frame + 14) & 0x3fff, webp.readUInt16LE(frame + 16) & 0x3fff];
}

test('[DC5] a turn from the question to the change, on a desk and on a phone', async () => {
  const { box } = stage;
  const id = await box.create({ cwd: project, label: 'Points lead to the wrong track' });
  await box.create({ cwd: project, label: 'Draw the signal plan' });
  await box.create({ cwd: project, label: 'Timetable for the harbour line' });
  const text = 'The check of the points fails. Find out why and mend it.';
  box.model.push(
    { match: text, events: [{ think: '**Looking at the check** and at what it expects' }, run('sh check.sh')] },
    { match: text, events: [run('cat src/points.js')] },
    { match: text, events: [{ custom: 'apply_patch', input: FIX }] },
    { match: text, events: [run('sh check.sh')] },
    { match: text, events: [{ say: ANSWER, phase: 'final_answer' }, usage] },
  );
  const visit = await stage.open({ conversationId: id, colorScheme: 'light' });
  await say(visit.page, text);
  await turnsDone(visit.page);
  await row(visit.page, 'diff').getByText('train.to').waitFor();
  await take(visit.page, 'conversation');
  expectClean(visit);
  await visit.close();
  const phone = await stage.open({ conversationId: id, viewport: PHONE, isTouch: true });
  await row(phone.page, 'diff').getByText('train.to').waitFor();
  await take(phone.page, 'phone');
  expectClean(phone);
});

test('[DC5] a request that waits for an answer', async () => {
  const text = 'Publish the signal plan for review.';
  const events: ModelEvent[] = [
    { say: 'The plan is drawn. I would like to publish it.' },
    {
      call: 'exec_command',
      args: {
        cmd: 'git push origin signal-plan',
        login: false,
        sandbox_permissions: 'require_escalated',
        justification: 'Publishing needs the network, which the sandbox does not allow.',
      },
    },
  ];
  stage.box.model.push({ match: text, events });
  const id = await stage.box.create({ cwd: project, label: 'Publish the signal plan' });
  const visit = await stage.open({ conversationId: id, viewport: DESKTOP });
  await say(visit.page, text);
  await dock(visit.page).waitFor();
  await take(visit.page, 'approval');
  expectClean(visit);
});

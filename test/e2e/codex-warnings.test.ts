/** A Codex that cannot use its configuration: its warning is shown by the page and by `signalbox status`. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { button, expectClean, setStage } from './stage.ts';

const MAIN = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');
const stage = setStage({ codexConfig: 'profile = "x"' });

test('[CX32] a warning about the configuration of Codex is on every page until it is hidden, and in the status', async () => {
  const visit = await stage.open();
  const { page } = visit;
  const banner = page.getByRole('status').filter({ hasText: 'Codex warns: ' });
  await banner.getByText('`profile = "x"` config is no longer supported').waitFor();
  await visit.shot('codex-warning');
  await visit.reload();
  await banner.waitFor();
  await button(page, 'Hide').click();
  await banner.waitFor({ state: 'detached' });
  expectClean(visit);
  const env = { ...process.env, SIGNALBOX_HOME: stage.box.home, NO_COLOR: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'status'], { env });
  expect(stdout).toContain('Codex warns: Invalid configuration; using defaults. legacy');
});

/** The dispositions and the generated files agree with the Codex that is installed. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  CODEX_CLIENT_NOTIFICATIONS,
  CODEX_CLIENT_REQUESTS,
  CODEX_SERVER_NOTIFICATIONS,
  CODEX_SERVER_REQUESTS,
  CODEX_VERSION,
} from '../src/contract/generated/codex-methods.ts';
import { CLIENT_REQUESTS, SERVER_NOTIFICATIONS, SERVER_REQUESTS } from '../src/core/codex/dispositions.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const GENERATED = ['codex-methods.ts', 'codex-protocol.ts'];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-dispositions-'));
  const script = join(ROOT, 'scripts/generate-codex-protocol.mjs');
  const args = [script, '--out', join(folder, 'out'), '--raw', join(folder, 'raw')];
  await promisify(execFile)(process.execPath, args, { cwd: ROOT });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Read from the binary's own file with other means than the generator's, so that one checks the other. */
async function binaryMethods(union: string): Promise<string[]> {
  const text = await readFile(join(folder, 'raw', `${union}.ts`), 'utf8');
  return [...text.matchAll(/"method": "([^"]+)"/g)].map(([, method]) => method ?? '').sort();
}

test('[CX1] every method of the installed Codex has a disposition, and no other has', async () => {
  expect(Object.keys(CLIENT_REQUESTS).sort()).toEqual(await binaryMethods('ClientRequest'));
  expect(Object.keys(SERVER_NOTIFICATIONS).sort()).toEqual(await binaryMethods('ServerNotification'));
  expect(Object.keys(SERVER_REQUESTS).sort()).toEqual(await binaryMethods('ServerRequest'));
});

test('[CX2] the committed protocol files are those the installed Codex generates', async () => {
  for (const name of GENERATED) {
    const committed = await readFile(join(ROOT, 'src/contract/generated', name), 'utf8');
    const fresh = await readFile(join(folder, 'out', name), 'utf8');
    expect(committed === fresh, `${name} is stale: run \`npm run generate\``).toBe(true);
  }
  expect(CODEX_CLIENT_REQUESTS).toEqual(await binaryMethods('ClientRequest'));
  expect(CODEX_CLIENT_NOTIFICATIONS).toEqual(await binaryMethods('ClientNotification'));
  expect(CODEX_SERVER_NOTIFICATIONS).toEqual(await binaryMethods('ServerNotification'));
  expect(CODEX_SERVER_REQUESTS).toEqual(await binaryMethods('ServerRequest'));
});

test('[CX2] the generated version is the pinned version', async () => {
  const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  expect(CODEX_VERSION).toBe(dependencies['@openai/codex']);
});

test('[CX3] whatever is ignored has a reason, and no request of Codex is ignored', () => {
  const reasons = [...Object.values(CLIENT_REQUESTS), ...Object.values(SERVER_NOTIFICATIONS)].flatMap((disposition) =>
    typeof disposition === 'string' ? [] : [disposition.ignored],
  );
  expect(reasons.length).toBeGreaterThan(0);
  expect(reasons.filter((reason) => reason.trim().split(' ').length < 3)).toEqual([]);
  expect(new Set(Object.values(SERVER_REQUESTS))).toEqual(new Set(['used']));
});

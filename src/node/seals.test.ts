/** Seals on files that decide about rights. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSeals, type Seals } from './seals.ts';

async function stand() {
  const dir = await mkdtemp(join(tmpdir(), 'signalbox-seals-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const said: string[] = [];
  let now = 1_000;
  const start = (hasSealedFiles = false): Promise<Seals> =>
    openSeals({
      runDir: dir,
      hasSealedFiles: async () => hasSealedFiles,
      onRefused: (name) => said.push(`refused ${name}`),
      onLost: (what) => said.push(`lost ${what}`),
      onError: (error) => said.push(String(error)),
      now: () => (now += 1),
    });
  const path = join(dir, 'rules.json');
  const adopts = { adopts: true };
  return { dir, said, start, path, adopts, read: (seals: Seals) => seals.read('rules.json', path, adopts) };
}

const PLAIN = '{"rules":[1]}\n';

test('[AG5] a file without a seal is adopted at the first start only, and then only as it was', async () => {
  const { said, start, path, read } = await stand();
  await writeFile(path, PLAIN);
  const first = await start();
  expect(await read(first)).toBe(PLAIN);
  expect(await first.read('tokens.json', path)).toBeNull();
  expect(first.parts.verify('c1', { approval: 'never' }, undefined)).toBe(true);
  await first.finishAdoption();
  const later = await start();
  expect(await read(later)).toBe(PLAIN);
  expect(later.parts.verify('c1', { approval: 'never' }, undefined)).toBe(true);
  expect(later.parts.verify('c2', { approval: 'never' }, undefined)).toBe(false);
  expect(later.parts.verify('c1', { approval: 'on-request' }, undefined)).toBe(false);
  await writeFile(path, '{"rules":[2]}');
  expect(await read(later)).toBeNull();
  await later.write('rules.json', path, '{"rules":[3]}');
  await writeFile(path, PLAIN);
  expect(await read(await start())).toBeNull();
  expect(said).toEqual(['refused tokens.json', 'refused rules.json', 'refused rules.json']);
});

test('[AG5] a forged, changed, renamed or older file does not verify', async () => {
  const { start, path, read } = await stand();
  const seals = await start();
  await seals.finishAdoption();
  await seals.write('rules.json', path, '{"rules":[1]}');
  const older = await readFile(path, 'utf8');
  await Promise.all([2, 3].map((one) => seals.write('rules.json', path, JSON.stringify({ rules: [one] }))));
  const newest = await readFile(path, 'utf8');
  expect(JSON.parse(newest)).toMatchObject({ rules: [3] });
  const later = await start();
  expect(await read(later)).toBe(newest);
  expect(await later.read('tokens.json', path)).toBeNull();
  for (const text of [
    older,
    newest.replace('[3]', '[4]'),
    PLAIN,
    '{"rules":[3],"seal":7}',
    '{"seal":""}',
    '[]',
    'x',
    '',
  ]) {
    await writeFile(path, text);
    expect(await read(later), text).toBeNull();
  }
});

test('[AG7] of a part that is written often only a change makes older seals void', async () => {
  const { start } = await stand();
  const { parts, finishAdoption } = await start();
  await finishAdoption();
  const [loose, tight] = [{ approval: 'never' }, { approval: 'untrusted' }];
  const first = parts.seal('c', loose, false);
  await first.settle();
  expect(parts.seal('c', loose, false).seal).toBe(first.seal);
  const second = parts.seal('c', tight, true);
  // Killed before the newest generation was stored: the file that was written last still counts.
  const killed = (await start()).parts;
  expect(killed.verify('c', tight, second.seal)).toBe(true);
  expect(killed.verify('c', loose, first.seal)).toBe(false);
  await second.settle();
  const later = (await start()).parts;
  expect(later.verify('c', loose, first.seal)).toBe(false);
  expect(later.verify('c', tight, second.seal)).toBe(true);
  expect(later.verify('d', tight, second.seal)).toBe(false);
});

test('[AG5] a removed key or state lets nothing without a seal in, and nothing older', async () => {
  const { dir, said, start, path, read } = await stand();
  const seals = await start();
  await seals.finishAdoption();
  await seals.write('rules.json', path, '{"rules":[1]}');
  await rm(join(dir, 'seal.state'));
  const stateless = await start();
  expect(said).toEqual(['lost seal.state']);
  expect(await read(stateless)).toBeNull();
  await stateless.write('rules.json', path, '{"rules":[1]}');
  expect(await read(await start())).not.toBeNull();
  for (const isStateGone of [false, true]) {
    await writeFile(path, PLAIN);
    await rm(join(dir, 'seal.key'));
    if (isStateGone) await rm(join(dir, 'seal.state'));
    const keyless = await start(true);
    expect(said.pop()).toBe('lost seal.key');
    expect(await read(keyless)).toBeNull();
    await keyless.write('rules.json', path, '{"rules":[2]}');
    expect(await read(await start(true))).not.toBeNull();
  }
});

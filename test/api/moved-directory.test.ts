/** A program puts a link in the place of a conversation's directory: no turn starts with a sandbox around the target. */
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

async function openPlaces(name: string) {
  const inner = join(box.dir, name, 'inner');
  const victim = join(box.dir, name, 'victim');
  mkdirSync(inner, { recursive: true });
  mkdirSync(victim);
  const id = await box.create({ cwd: inner, sandbox: 'workspace-write', approval: 'never' });
  const watcher = await box.watch(id);
  const write = (match: string) => {
    const command = { call: 'exec_command', args: { cmd: 'echo x > written', login: false } };
    box.model.push({ match, events: [command] }, { match, events: [{ say: 'done' }] });
    return box.call('sendMessage', { conversation_id: id, text: match });
  };
  return { inner, victim, id, watcher, write };
}

const swap = (inner: string, victim: string) => {
  renameSync(inner, `${inner}-away`);
  symlinkSync(victim, inner);
};

test('[AG61] a link in the place of the directory stops messages, also after a restart, and the answer names where it leads', async () => {
  const { inner, victim, watcher, write } = await openPlaces('swapped');
  expect(await write('first')).toMatchObject({ ok: true });
  await watcher.turnEnd(1);
  expect(existsSync(join(inner, 'written'))).toBe(true);
  swap(inner, victim);
  const refusal = {
    status: 409,
    body: { code: 'conflict', message: expect.stringContaining(`leads to ${victim} now`) },
  };
  expect(await write('second')).toMatchObject(refusal);
  await box.restart();
  expect(await write('third')).toMatchObject(refusal);
  expect(existsSync(join(victim, 'written'))).toBe(false);
  rmSync(inner);
  renameSync(`${inner}-away`, inner);
  expect(await write('fourth')).toMatchObject({ ok: true });
});

test('[AG61] before the first message the directory counts as it was when the conversation began; a fork is refused too', async () => {
  const { inner, victim, id, watcher, write } = await openPlaces('early');
  swap(inner, victim);
  expect(await write('early one')).toMatchObject({ status: 409 });
  rmSync(inner);
  renameSync(`${inner}-away`, inner);
  expect(await write('early two')).toMatchObject({ ok: true });
  await watcher.turnEnd(1);
  swap(inner, victim);
  expect(await box.call('forkConversation', { id })).toMatchObject({ status: 409 });
});

test('[AG61] a person who chooses the target as the directory goes on there', async () => {
  const { inner, victim, id, watcher, write } = await openPlaces('chosen');
  swap(inner, victim);
  expect(await write('chosen one')).toMatchObject({ status: 409 });
  await box.must('patchConversation', { id, cwd: victim });
  expect(await write('chosen two')).toMatchObject({ ok: true });
  await watcher.turnEnd(1);
  expect(existsSync(join(victim, 'written'))).toBe(true);
});

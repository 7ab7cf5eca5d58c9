/** What a killed server and a killed Codex leave behind: everything, once, in order. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
afterEach(() => box.close());

/** Without the token counts: they are not in Codex's history, so they are missing if a turn ended before we listened again. */
const roles = (entries: readonly { role: string }[]) =>
  entries.map((entry) => entry.role).filter((role) => role !== 'token_usage');

describe('the server is killed', () => {
  test('[FT1] in mid-turn: the turn goes on, and the transcript has all of it, once, in order', async () => {
    box = await openBox();
    box.model.push(
      {
        events: [
          { say: 'before the fall', phase: 'commentary' },
          { call: 'exec_command', args: { cmd: 'echo one', login: false } },
        ],
      },
      {
        events: [
          { say: 'while away', phase: 'commentary' },
          { gate: 'back' },
          { call: 'exec_command', args: { cmd: 'echo two', login: false } },
        ],
      },
      { events: [{ say: 'the end' }] },
    );
    const id = await box.create({ approval: 'never' });
    const watcher = await box.watch(id);
    await box.must('sendMessage', { conversation_id: id, text: 'go', client_message_id: 'only-once' });
    await watcher.until((frame) => frame.type === 'command' && 'seq' in frame, 'the first command');
    const codexPid = await box.codexPid();
    await box.kill('SIGKILL');
    await box.restart();
    expect(await box.codexPid()).toBe(codexPid);
    const again = await box.watch(id, watcher.view().lastSeq);
    box.model.release('back');
    await again.turnEnd();
    const entries = await box.entries(id);
    expect(roles(entries)).toEqual([
      'user',
      'delivery',
      'assistant',
      'command',
      'assistant',
      'command',
      'assistant',
      'status',
    ]);
    expect(entries.flatMap((entry) => (entry.role === 'assistant' ? [entry.text] : []))).toEqual([
      'before the fall',
      'while away',
      'the end',
    ]);
    expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_entry, at) => at + 1));
    const repeated = await box.must('sendMessage', { conversation_id: id, text: 'go', client_message_id: 'only-once' });
    expect(repeated.outcome).toBe('duplicate');
  });

  test('[FT2] while an answer is awaited: it can still be given, and to the same request', async () => {
    box = await openBox();
    box.model.push(
      { events: [{ custom: 'apply_patch', input: '*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch\n' }] },
      { events: [{ say: 'done' }] },
    );
    const id = await box.create({ approval: 'untrusted' });
    const watcher = await box.watch(id);
    await box.must('sendMessage', { conversation_id: id, text: 'write' });
    const asked = await watcher.approval();
    await box.restart();
    const again = await box.watch(id);
    const repeated = again.view().live.approvals[0] ?? (await again.approval());
    expect({ ...repeated, requested_at_ms: 0 }).toEqual({ ...asked, requested_at_ms: 0 });
    await box.must('answerApproval', { approval_id: asked.approval_id, decision: 'accept' });
    await again.turnEnd();
    expect(roles(await box.entries(id))).toEqual(['user', 'delivery', 'approval', 'diff', 'assistant', 'status']);
    expect(await readFile(join(box.project, 'a.txt'), 'utf8')).toBe('a\n');
  });

  test('[FT3] after the turn has ended unheard: the end is found', async () => {
    box = await openBox();
    box.model.push({ events: [{ say: 'first', phase: 'commentary' }, { gate: 'later' }, { say: 'second' }] });
    const id = await box.create();
    const watcher = await box.watch(id);
    await box.must('sendMessage', { conversation_id: id, text: 'go' });
    await watcher.until((frame) => frame.type === 'assistant_finalize', 'the first words');
    await box.kill('SIGKILL');
    box.model.release('later');
    await rolloutHolds(box, 'task_complete');
    await box.restart();
    const again = await box.watch(id);
    await again.until(
      (frame) => frame.type === 'status' || (frame.type === 'sync' && frame.entries.some((e) => e.role === 'status')),
      'the end',
    );
    expect(roles(await box.entries(id))).toEqual(['user', 'delivery', 'assistant', 'assistant', 'status']);
  });
});

describe('Codex is killed', () => {
  for (const transport of ['unix', 'stdio'] as const) {
    test(`[FT4] in mid-turn (${transport}): the turn has failed within 2 s, and the next message works`, async () => {
      box = await openBox({ transport });
      box.model.push({ events: [{ say: 'half a' }, { gate: 'never' }] });
      const id = await box.create({ approval: 'untrusted' });
      const watcher = await box.watch(id);
      await box.must('sendMessage', { conversation_id: id, text: 'go' });
      await watcher.until(
        (frame) => frame.type === 'assistant_finalize' || frame.type === 'assistant_delta',
        'some words',
      );
      const killedAt = Date.now();
      process.kill(await box.codexPid(), 'SIGKILL');
      await watcher.turnEnd(1);
      expect(Date.now() - killedAt).toBeLessThan(2_000);
      const last = watcher.entries().slice(-2);
      expect(last).toMatchObject([
        { role: 'error', code: 'codex_stopped' },
        { role: 'status', turn_status: 'failed' },
      ]);
      box.model.push({ events: [{ say: 'alive' }] });
      await box.must('sendMessage', { conversation_id: id, text: 'again' });
      await watcher.turnEnd(2);
      expect(watcher.entries().at(-3)).toMatchObject({ role: 'assistant', text: 'alive' });
    });
  }

  test('[FT5] while an answer is awaited: the request is expired, the command never ran, a late answer is 409', async () => {
    box = await openBox();
    box.model.push({ events: [{ call: 'exec_command', args: { cmd: 'touch ran.txt', login: false } }] });
    const id = await box.create({ approval: 'untrusted' });
    const watcher = await box.watch(id);
    await box.must('sendMessage', { conversation_id: id, text: 'go' });
    const asked = await watcher.approval();
    process.kill(await box.codexPid(), 'SIGKILL');
    await watcher.turnEnd();
    expect(watcher.entries()).toContainEqual(expect.objectContaining({ role: 'approval', status: 'expired' }));
    const late = await box.call('answerApproval', { approval_id: asked.approval_id, decision: 'accept' });
    expect(late.status).toBe(409);
    await expect(readFile(join(box.project, 'ran.txt'))).rejects.toThrow();
  });
});

/** Codex's own record of the thread, watched through its file: the only way to know what happens while our server is down. */
async function rolloutHolds(of: Box, word: string): Promise<void> {
  const sessions = join(of.codexHome, 'sessions');
  const texts = async () => {
    const names = (await readdir(sessions, { recursive: true })).filter((name) => name.endsWith('.jsonl'));
    return (await Promise.all(names.map((name) => readFile(join(sessions, name), 'utf8')))).join('');
  };
  await expect.poll(texts, { timeout: 25_000 }).toContain(word);
}

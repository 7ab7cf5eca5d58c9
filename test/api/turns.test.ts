/** Whole turns through the public surface, with the real Codex: what the transcript holds afterwards, live and on replay. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Entry } from '../../src/contract/entry.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

/** What a person would compare: without times, ids and counts that differ from run to run. */
/** How messages are delivered is tested elsewhere. */
function essence(entries: readonly Entry[]) {
  const shown = entries.filter((entry) => entry.role !== 'delivery');
  return shown.map((entry) => {
    switch (entry.role) {
      case 'user':
        return ['user', entry.text];
      case 'assistant':
      case 'reasoning':
        return [entry.role, entry.text, entry.status];
      case 'command':
        return ['command', entry.command, entry.output, entry.exit_code, entry.status];
      case 'approval':
        return ['approval', entry.kind, entry.status];
      case 'diff':
        return ['diff', entry.files.map((file) => `${file.kind} ${file.path.split('/').at(-1)}`), entry.status];
      case 'plan':
        return ['plan', ...entry.steps.map((step) => `${step.status} ${step.step}`)];
      case 'status':
        return ['status', entry.turn_status];
      case 'tool':
        return ['tool', entry.kind, entry.name, entry.status];
      case 'error':
      case 'warning':
        return [entry.role, entry.code];
      default:
        return [entry.role];
    }
  });
}

for (const transport of ['unix', 'stdio'] as const) {
  describe(`turns over ${transport}`, () => {
    let box: Box;
    beforeAll(async () => {
      box = await openBox({ transport });
    });
    afterAll(() => box.close());

    /** The view of a client that was there, of one that comes now, and the transcript on disk must agree. */
    async function expectEverywhere(id: string, watcher: Awaited<ReturnType<Box['watch']>>, expected: unknown) {
      expect(essence(watcher.entries())).toEqual(expected);
      const fresh = await box.watch(id);
      expect(fresh.view().entries).toEqual(watcher.view().entries);
      expect(fresh.view().live).toEqual(watcher.view().live);
      expect(await box.entries(id)).toEqual(watcher.view().entries);
      expect(watcher.entries().map((entry) => entry.seq)).toEqual(watcher.entries().map((_entry, at) => at + 1));
    }

    test('[TN1] reasoning and an answer become one entry each', async () => {
      box.model.push({ events: [{ think: ['**First** look', 'Second look'] }, { say: 'Hello there, world.' }] });
      const id = await box.create();
      const watcher = await box.watch(id);
      const sent = await box.must('sendMessage', { conversation_id: id, text: 'hi', client_message_id: 'm1' });
      expect(sent.outcome).toBe('started');
      await watcher.turnEnd();
      await expectEverywhere(id, watcher, [
        ['user', 'hi'],
        ['reasoning', '**First** look\n\nSecond look', 'completed'],
        ['assistant', 'Hello there, world.', 'completed'],
        ['token_usage'],
        ['status', 'completed'],
      ]);
      const text = watcher.frames.flatMap((frame) => (frame.type === 'assistant_delta' ? [frame.delta] : [])).join('');
      expect(text).toBe('Hello there, world.');
    });

    test('[TN2] a command asks, runs after the answer, and both are recorded', async () => {
      box.model.push(
        { events: [{ call: 'exec_command', args: { cmd: 'echo hi', login: false } }] },
        { events: [{ say: 'done' }] },
      );
      const id = await box.create({ approval: 'untrusted' });
      const watcher = await box.watch(id);
      await box.must('sendMessage', { conversation_id: id, text: 'run it' });
      const approval = await watcher.approval();
      expect(approval).toMatchObject({
        kind: 'command',
        ask: { command: expect.stringContaining('echo hi'), cwd: box.project },
      });
      expect((await box.must('listApprovals', {})).approvals).toEqual([approval]);
      await box.must('answerApproval', { approval_id: approval.approval_id, decision: 'accept' });
      await watcher.turnEnd();
      await expectEverywhere(id, watcher, [
        ['user', 'run it'],
        ['approval', 'command', 'accepted'],
        ['command', 'echo hi', 'hi\n', 0, 'completed'],
        ['assistant', 'done', 'completed'],
        ['token_usage'],
        ['status', 'completed'],
      ]);
    });

    test('[AT9] always allow is answered only after a second confirmation, which says the rule', async () => {
      const cmd = 'git frobnicate now';
      box.model.push(
        { events: [{ call: 'exec_command', args: { cmd, login: false } }] },
        { events: [{ say: 'done' }] },
      );
      const id = await box.create({ approval: 'untrusted' });
      const watcher = await box.watch(id);
      await box.must('sendMessage', { conversation_id: id, text: 'frobnicate' });
      const { approval_id, decisions } = await watcher.approval();
      expect(decisions).toContain('accept_always');
      const always = { approval_id, decision: 'accept_always' } as const;
      const asked = await box.callOnce('answerApproval', always);
      expect(asked).toMatchObject({
        status: 428,
        body: {
          details: { means: [expect.stringContaining('git frobnicate'), expect.stringContaining('every project')] },
        },
      });
      const confirm = { id: 'of another one' };
      expect((await box.callOnce('answerApproval', { ...always, confirm })).status).toBe(428);
      expect((await box.must('listApprovals', { conversation_id: id })).approvals).toHaveLength(1);
      await box.must('answerApproval', { approval_id, decision: 'accept_always' });
      await watcher.turnEnd();
    });

    test('[TN3] a file change shows its diff, and a declined one is kept as declined', async () => {
      const patch = '*** Begin Patch\n*** Add File: note.txt\n+one\n+two\n*** End Patch\n';
      box.model.push(
        { events: [{ custom: 'apply_patch', input: patch }] },
        { events: [{ say: 'not then' }] },
        { events: [{ custom: 'apply_patch', input: patch }] },
        { events: [{ say: 'written' }] },
      );
      const id = await box.create({ approval: 'untrusted' });
      const watcher = await box.watch(id);
      await box.must('sendMessage', { conversation_id: id, text: 'write' });
      const first = await watcher.approval(1);
      expect(first.ask).toMatchObject({ kind: 'file_change', changes: [{ kind: 'add', diff: 'one\ntwo\n' }] });
      await box.must('answerApproval', { approval_id: first.approval_id, decision: 'decline' });
      await watcher.turnEnd(1);
      await box.must('sendMessage', { conversation_id: id, text: 'do' });
      const second = await watcher.approval(2);
      expect(second.approval_id).not.toBe(first.approval_id);
      await box.must('answerApproval', { approval_id: second.approval_id, decision: 'accept' });
      await watcher.turnEnd(2);
      await expectEverywhere(id, watcher, [
        ['user', 'write'],
        ['approval', 'file_change', 'declined'],
        ['diff', ['add note.txt'], 'declined'],
        ['assistant', 'not then', 'completed'],
        ['token_usage'],
        ['status', 'completed'],
        ['user', 'do'],
        ['approval', 'file_change', 'accepted'],
        ['diff', ['add note.txt'], 'applied'],
        ['assistant', 'written', 'completed'],
        ['token_usage'],
        ['status', 'completed'],
      ]);
    });

    test('[TN4] a plan is one entry with its last state', async () => {
      const plan = (...status: string[]) => ({
        call: 'update_plan',
        args: { plan: status.map((one, at) => ({ step: `step ${at + 1}`, status: one })) },
      });
      box.model.push(
        { events: [plan('in_progress', 'pending')] },
        { events: [plan('completed', 'completed')] },
        { events: [{ say: 'planned' }] },
      );
      const id = await box.create();
      const watcher = await box.watch(id);
      await box.must('sendMessage', { conversation_id: id, text: 'plan' });
      await watcher.turnEnd();
      await expectEverywhere(id, watcher, [
        ['user', 'plan'],
        ['assistant', 'planned', 'completed'],
        ['plan', 'completed step 1', 'completed step 2'],
        ['token_usage'],
        ['status', 'completed'],
      ]);
    });

    test('[TN5] a question of the model is answered in plan mode', async () => {
      const question = {
        id: 'q1',
        header: 'Which',
        question: 'Which one?',
        options: [
          { label: 'A', description: 'a' },
          { label: 'B', description: 'b' },
        ],
      };
      box.model.push(
        { events: [{ call: 'request_user_input', args: { questions: [question] } }] },
        { events: [{ say: 'B it is' }] },
      );
      const id = await box.create({ model: 'gpt-5.5', mode: 'plan' });
      const watcher = await box.watch(id);
      await box.must('sendMessage', { conversation_id: id, text: 'ask me' });
      const approval = await watcher.approval();
      expect(approval.ask).toMatchObject({ kind: 'questions', questions: [{ id: 'q1', question: 'Which one?' }] });
      const incomplete = await box.call('answerApproval', { approval_id: approval.approval_id, decision: 'accept' });
      expect(incomplete.status).toBe(400);
      await box.must('answerApproval', {
        approval_id: approval.approval_id,
        decision: 'accept',
        answers: { q1: ['B'] },
      });
      await watcher.turnEnd();
      const roles = essence(watcher.entries());
      expect(roles).toContainEqual(['approval', 'questions', 'accepted']);
      expect(roles).toContainEqual(['assistant', 'B it is', 'completed']);
      expect(box.model.requests.at(-1)?.rawBody).toContain('"B"'.replaceAll('"', '\\"'));
    });

    test('[TN6] the default models run code: its commands show like any other', async () => {
      box.model.push(
        {
          events: [
            { custom: 'exec', input: "text((await tools.exec_command({cmd:'echo nested', login:false})).output)" },
          ],
        },
        { events: [{ say: 'ran' }] },
      );
      const id = await box.create({ model: 'gpt-6.1-sol', approval: 'never' });
      const watcher = await box.watch(id);
      await box.must('sendMessage', { conversation_id: id, text: 'code' });
      await watcher.turnEnd();
      expect(essence(watcher.entries())).toContainEqual(['command', 'echo nested', 'nested\n', 0, 'completed']);
    });

    test('[TN7] an error of the model ends the turn once, with one error entry', async () => {
      box.model.push({ status: 400, body: { error: { message: 'no such thing' } } });
      const id = await box.create();
      const watcher = await box.watch(id);
      await box.must('sendMessage', { conversation_id: id, text: 'fail' });
      await watcher.turnEnd();
      const roles = essence(watcher.entries()).map(([role]) => role);
      expect(roles.filter((role) => role === 'error')).toHaveLength(1);
      expect(essence(watcher.entries()).at(-1)).toEqual(['status', 'failed']);
    });
  });
}

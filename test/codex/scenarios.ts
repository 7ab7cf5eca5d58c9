/** What is done with a Codex to see how it speaks: the scenarios of the recordings and of the contract suite. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelEvent, Reply } from '../../src/testing/scripted-model.ts';
import type { Json, Recorder } from './recorder.ts';

export interface Scenario {
  readonly name: string;
  /** What happens in it, for the recording's own description. */
  readonly done: string;
  play(codex: Recorder): Promise<void>;
}

const run = (cmd: string): ModelEvent => ({ call: 'exec_command', args: { cmd, login: false } });
const say = (words: string): Reply => ({ events: [{ say: words }] });
const ASKING = { approvalPolicy: 'untrusted', sandbox: 'workspace-write' };
const COMMAND = 'item/commandExecution/requestApproval';
const PATCH = 'item/fileChange/requestApproval';

async function oneTurn(codex: Recorder, threadId: string, text: string, extra = {}): Promise<void> {
  await codex.startTurn(threadId, text, extra);
  await codex.turnEnd(threadId);
}

const patch = (...lines: readonly string[]): ModelEvent => ({
  custom: 'apply_patch',
  input: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n'),
});

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'turn',
    done: 'Two plain turns of one thread; the first thinks aloud, the second message has a client id and carries untrusted and trusted context.',
    async play(codex) {
      const thread = await codex.startThread();
      codex.model.push({
        events: [{ think: ['**First** thought', '**Second** thought'] }, { say: 'hello there', chunk: 4 }],
      });
      await oneTurn(codex, thread, 'one', { summary: 'auto' });
      codex.model.push(say('second answer'));
      const additionalContext = {
        outside: { kind: 'untrusted', value: 'a door opened' },
        policy: { kind: 'application', value: 'be careful' },
      };
      await oneTurn(codex, thread, 'two', { clientUserMessageId: 'cid-2', additionalContext });
    },
  },
  {
    name: 'command',
    done: 'Commands under approval policy untrusted: accepted, accepted for the session, declined, cancelled; then one that fails without being asked about.',
    async play(codex) {
      const thread = await codex.startThread(ASKING);
      for (const decision of ['accept', 'acceptForSession', 'decline', 'cancel']) {
        codex.model.push({ events: [run(`touch ${decision}`)] }, say(`after ${decision}`));
        await codex.startTurn(thread, decision);
        await codex.answer(COMMAND, { decision });
        await codex.turnEnd(thread);
      }
      codex.model.reset();
      const free = await codex.startThread();
      codex.model.push({ events: [run('echo out; exit 3')] }, say('it failed'));
      await oneTurn(codex, free, 'fail');
    },
  },
  {
    name: 'patch',
    done: 'apply_patch: a new file accepted, an update declined, an update and a move without being asked about.',
    async play(codex) {
      await writeFile(join(codex.project, 'old.txt'), 'one\ntwo\nthree\n');
      const thread = await codex.startThread({ approvalPolicy: 'untrusted', sandbox: 'read-only' });
      codex.model.push({ events: [patch('*** Add File: new.txt', '+new')] }, say('added'));
      await codex.startTurn(thread, 'add');
      await codex.answer(PATCH, { decision: 'accept' });
      await codex.turnEnd(thread);
      const update = ['*** Update File: old.txt', '@@', ' one', '-two', '+2', ' three'];
      codex.model.push({ events: [patch(...update)] }, say('not changed'));
      await codex.startTurn(thread, 'update');
      await codex.answer(PATCH, { decision: 'decline' });
      await codex.turnEnd(thread);
      codex.model.reset();
      const free = await codex.startThread();
      const [name = '', ...rest] = update;
      codex.model.push({ events: [patch(name, '*** Move to: moved.txt', ...rest)] }, say('moved'));
      await oneTurn(codex, free, 'move');
    },
  },
  {
    name: 'plan',
    done: 'Two plans in one turn.',
    async play(codex) {
      const thread = await codex.startThread();
      const plan = (status: string): ModelEvent => ({
        call: 'update_plan',
        args: {
          explanation: 'why',
          plan: [
            { step: 'look', status },
            { step: 'mend', status: 'pending' },
          ],
        },
      });
      codex.model.push({ events: [plan('in_progress')] }, { events: [plan('completed')] }, say('planned'));
      await oneTurn(codex, thread, 'plan');
    },
  },
  {
    name: 'question',
    done: 'Plan mode: a question that is answered, then a proposed plan.',
    async play(codex) {
      const thread = await codex.startThread({ sandbox: 'read-only' });
      const options = [
        { label: 'Yes', description: 'do it' },
        { label: 'No', description: 'leave it' },
      ];
      const questions = [{ id: 'q1', header: 'Go', question: 'Shall I?', options }];
      codex.model.push(
        { events: [{ call: 'request_user_input', args: { questions } }] },
        say('<proposed_plan>\n# Mend\n\n1. look\n</proposed_plan>'),
      );
      const settings = { model: 'gpt-5.5', reasoning_effort: 'low', developer_instructions: null };
      await codex.startTurn(thread, 'plan it', { collaborationMode: { mode: 'plan', settings } });
      await codex.answer('item/tool/requestUserInput', { answers: { q1: { answers: ['Yes'] } } });
      await codex.turnEnd(thread);
    },
  },
  {
    name: 'steer',
    done: 'A message steered into a turn after the first words of the model; then a turn that is interrupted, and one after it.',
    async play(codex) {
      const thread = await codex.startThread();
      codex.model.push({ events: [{ say: 'first' }, { gate: 'steered' }] }, say('heard both'));
      const turn = await codex.startTurn(thread, 'one');
      await codex.next(isAnswerOf(turn), 'message of the model');
      const input = [{ type: 'text', text: 'also this', text_elements: [] }];
      const steer = { threadId: thread, input, expectedTurnId: turn, clientUserMessageId: 'cid-steer' };
      await codex.request('turn/steer', steer);
      codex.model.release('steered');
      await codex.turnEnd(thread);
      codex.model.push({ events: [{ say: 'long' }, { gate: 'never' }] });
      const held = await codex.startTurn(thread, 'two');
      await codex.next(isAnswerOf(held), 'message of the model');
      await codex.request('turn/interrupt', { threadId: thread, turnId: held });
      await codex.turnEnd(thread);
      codex.model.push(say('here again'));
      await oneTurn(codex, thread, 'three');
    },
  },
  {
    name: 'mcp',
    done: 'MCP tools: approved, declined, and one that asks the person itself.',
    async play(codex) {
      const thread = await codex.startThread(ASKING);
      await codex.next(isMcpReady, 'ready MCP server');
      const tool = (name: string, args = {}): ModelEvent => ({ call: name, args, namespace: 'mcp__tiny' });
      for (const action of ['accept', 'decline']) {
        codex.model.push({ events: [tool('plain', { word: action })] }, say(`after ${action}`));
        await codex.startTurn(thread, action);
        const content = action === 'accept' ? {} : null;
        await codex.answer('mcpServer/elicitation/request', { action, content, _meta: null });
        await codex.turnEnd(thread);
      }
      codex.model.push({ events: [tool('curious')] }, say('asked'));
      await codex.startTurn(thread, 'ask');
      await codex.answer('mcpServer/elicitation/request', { action: 'accept', content: {}, _meta: null });
      await codex.answer('mcpServer/elicitation/request', { action: 'accept', content: { name: 'Bo' }, _meta: null });
      await codex.turnEnd(thread);
    },
  },
  {
    name: 'code-mode',
    done: 'A code-mode model: a command from a script, one that is asked about and accepted, a patch from a script.',
    async play(codex) {
      const script = (input: string): ModelEvent => ({ custom: 'exec', input });
      const command = (cmd: string) => script(`text((await tools.exec_command({cmd:'${cmd}', login:false})).output)`);
      const thread = await codex.startThread({ model: 'gpt-6.1-sol' });
      codex.model.push({ events: [command('echo nested')] }, say('ran'));
      await oneTurn(codex, thread, 'run');
      const added = JSON.stringify('*** Begin Patch\n*** Add File: c.txt\n+c\n*** End Patch\n');
      codex.model.push({ events: [script(`text(await tools.apply_patch(${added}))`)] }, say('patched'));
      await oneTurn(codex, thread, 'patch');
      const asking = await codex.startThread({ model: 'gpt-6.1-sol', ...ASKING });
      codex.model.push({ events: [command('touch asked')] }, say('was allowed'));
      await codex.startTurn(asking, 'ask');
      await codex.answer(COMMAND, { decision: 'accept' });
      await codex.turnEnd(asking);
    },
  },
  {
    name: 'compaction',
    done: 'A turn, a compaction, a turn after it.',
    async play(codex) {
      const thread = await codex.startThread();
      codex.model.push(say('remember me'), say('a summary'), say('still here'));
      await oneTurn(codex, thread, 'one');
      await codex.request('thread/compact/start', { threadId: thread });
      await codex.turnEnd(thread);
      await oneTurn(codex, thread, 'two');
    },
  },
  {
    name: 'review',
    done: 'A turn, an inline review, a turn after it.',
    async play(codex) {
      const thread = await codex.startThread();
      codex.model.push(say('first'));
      await oneTurn(codex, thread, 'one');
      const findings = {
        findings: [],
        overall_correctness: 'patch is correct',
        overall_explanation: 'nothing to mend',
        overall_confidence_score: 0.9,
      };
      codex.model.push(say(JSON.stringify(findings)));
      const target = { type: 'custom', instructions: 'look at everything' };
      await codex.request('review/start', { threadId: thread, target, delivery: 'inline' });
      await codex.turnEnd(thread);
      codex.model.push(say('last'));
      await oneTurn(codex, thread, 'two');
    },
  },
];

/** The whole message: whether a steer or an interrupt meets its last word or its end would be chance. */
const isAnswerOf =
  (turnId: string) =>
  ({ method, params }: Json): boolean => {
    const text = JSON.stringify(params);
    return method === 'item/completed' && text.includes(turnId) && text.includes('"agentMessage"');
  };

function isMcpReady({ method, params }: Json): boolean {
  return method === 'mcpServer/startupStatus/updated' && JSON.stringify(params).includes('"ready"');
}

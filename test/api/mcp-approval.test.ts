/** Requests that come from MCP servers: may a tool run, and what the tool itself asks. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
beforeAll(async () => {
  const server = join(import.meta.dirname, '../fixtures/tiny-mcp.mjs');
  const codexConfig = `[mcp_servers.tiny]\ncommand = "${process.execPath}"\nargs = ["${server}"]\n`;
  box = await openBox({ codexConfig });
});
afterAll(() => box.close());

async function askFor(tool: string, args: Record<string, unknown>) {
  box.model.push({ events: [{ call: tool, args, namespace: 'mcp__tiny' }] }, { events: [{ say: 'done' }] });
  const id = await box.create({ approval: 'on-request' });
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: `use ${tool}` });
  return { id, watcher };
}

test('[TN8] an MCP tool that may change things runs after a yes', async () => {
  const { id, watcher } = await askFor('plain', { word: 'yes' });
  const approval = await watcher.approval();
  expect(approval).toMatchObject({ kind: 'mcp_tool', ask: { server: 'tiny', tool_input: { word: 'yes' } } });
  await box.must('answerApproval', { approval_id: approval.approval_id, decision: 'accept' });
  await watcher.turnEnd();
  const entries = await box.entries(id);
  expect(entries.map((entry) => entry.role)).toEqual([
    'user',
    'delivery',
    'approval',
    'tool',
    'assistant',
    'token_usage',
    'status',
  ]);
  expect(entries[3]).toMatchObject({
    kind: 'mcp',
    server: 'tiny',
    name: 'plain',
    output: 'plain says yes',
    status: 'completed',
  });
});

test('[TN8] after a no it does not run', async () => {
  const { id, watcher } = await askFor('plain', { word: 'no' });
  const approval = await watcher.approval();
  await box.must('answerApproval', { approval_id: approval.approval_id, decision: 'decline' });
  await watcher.turnEnd();
  const entries = await box.entries(id);
  expect(entries[2]).toMatchObject({ role: 'approval', kind: 'mcp_tool', status: 'declined' });
  expect(entries[3]).toMatchObject({ role: 'tool', status: 'failed' });
});

test('[TN8] a question of the server is a form', async () => {
  const { id, watcher } = await askFor('curious', {});
  const mayRun = await watcher.approval(1);
  await box.must('answerApproval', { approval_id: mayRun.approval_id, decision: 'accept' });
  const question = await watcher.approval(2);
  expect(question).toMatchObject({
    kind: 'elicitation',
    ask: { message: 'What is your name?', schema: { required: ['name'] } },
  });
  await box.must('answerApproval', { approval_id: question.approval_id, decision: 'accept', content: { name: 'Ada' } });
  await watcher.turnEnd();
  expect(await box.entries(id)).toContainEqual(expect.objectContaining({ role: 'tool', output: 'hello Ada' }));
});

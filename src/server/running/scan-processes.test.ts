/** [TN31] What a scan knows of a process: the command that its environment names, once it has been executed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createProcessScan } from './scan-processes.ts';

test.runIf(process.platform === 'linux')('[TN31] a process is known by its environment, in every scan', async () => {
  const scan = createProcessScan();
  scan();
  const env = { ...process.env, CODEX_THREAD_ID: 'thread-1', CODEX_TOOL_CALL_ID: 'call-1' };
  const child = spawn('sh', ['-c', 'echo ready; read line'], { env });
  try {
    await once(child.stdout, 'data');
    const find = () => scan().find(({ pid }) => pid === child.pid);
    const first = find();
    expect(first).toMatchObject({ mark: { threadId: 'thread-1', itemId: 'call-1' } });
    expect(first?.command).toContain('read line');
    expect(find()).toEqual(first);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  expect(scan().some(({ pid }) => pid === child.pid)).toBe(false);
});

/** `shells attach`: what a shell writes and what a person types to it, until Ctrl-C or its end. */
import { spawn } from 'node:child_process';
import type { Client } from './client.ts';
import { enterTerminal, isTerminal } from './enter-terminal.ts';
import { EXIT_INTERRUPTED } from './exit-codes.ts';
import { createLastLines, openLog } from './follow-log.ts';
import { type Output, styled } from './output.ts';
import type { World } from './runner.ts';
import { pickShell } from './shells.ts';

/** What is still on the screen of the shell, more or less. */
const LINES = 50;

export async function attachShell(out: Output, client: Client, words: string, world: World): Promise<number> {
  const picked = await pickShell(client, words);
  if (!picked.ok) return out.fail(picked.error);
  const { id, state, backend, socket, takes_input: takesInput } = picked.value;
  if (state !== 'running') return out.fail({ code: 'conflict', message: `${id} is not running: it is ${state}` });
  if (socket !== null && world.stdout.isTTY === true && !out.isJson) return enterSession(out, socket);
  if (backend === 'pty' && isTerminal(world) && !out.isJson) return enterTerminal(out, client, picked.value, world);
  const last = createLastLines(out);
  const opened = await openLog(client, id, LINES, (page) => (out.isJson ? out.json(page) : last.show(page.text)));
  if (!opened.ok) return out.fail(opened.error);
  const following = opened.value;
  if (!out.isJson)
    out.say(
      styled('dim', takesInput ? 'Lines go to its input. Ctrl-C leaves it.' : 'It takes no input. Ctrl-C leaves it.'),
    );
  const onData = (chunk: Buffer | string) =>
    following.socket.send({ type: 'input', shell_id: id, data: chunk.toString() });
  if (takesInput) world.stdin.on('data', onData);
  const interrupted = new Promise<'interrupted'>((done) => process.once('SIGINT', () => done('interrupted')));
  const ending = await Promise.race([following.over, interrupted]);
  world.stdin.off('data', onData);
  following.socket.close();
  await last.end();
  if (ending === 'interrupted') return EXIT_INTERRUPTED;
  return ending.ok ? 0 : out.fail(ending.error);
}

/** dtach knows how to hand a terminal over; Ctrl-\ leaves it. */
function enterSession(out: Output, socket: string): Promise<number> {
  return new Promise((done) => {
    const child = spawn('dtach', ['-a', socket, '-r', 'winch'], { stdio: 'inherit' });
    child.once('error', () => done(out.fail({ code: 'not_found', message: 'dtach is not installed here' })));
    child.once('exit', (code) => done(code ?? 1));
  });
}

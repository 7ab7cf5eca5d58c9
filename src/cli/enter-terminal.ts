/** `shells attach` to a shell in the pty host, at a terminal: keys and size go to it as they are, until Ctrl-\ or its end. */
import { spawnSync } from 'node:child_process';
import type { ReadStream } from 'node:tty';
import type { ShellView } from '../contract/shellspec.ts';
import type { Client } from './client.ts';
import { createLastLines, openLog } from './follow-log.ts';
import { type Output, styled } from './output.ts';
import type { World } from './runner.ts';

/** As dtach has it. */
const LEAVE = '\x1c';
/** What is still on the screen of the shell, more or less. */
const LINES = 20;
const EXIT_LEFT = 0;

export async function enterTerminal(out: Output, client: Client, shell: ShellView, world: Terminal): Promise<number> {
  const { stdin, stdout } = world;
  const earlier = createLastLines(out);
  let isLive = false;
  const opened = await openLog(client, shell.id, LINES, async (page) => {
    // What was printed before is only shown: were it drawn, our terminal would answer what was asked then.
    if (!isLive) await earlier.show(page.text);
    else if (!stdout.write(page.text)) await new Promise((done) => stdout.once('drain', done));
    isLive = true;
  });
  if (!opened.ok) return out.fail(opened.error);
  const { socket, over } = opened.value;
  out.say(styled('dim', `\n${shell.id}: Ctrl-\\ leaves it.`));

  const tellSize = (lessRows = 0) => {
    const { columns = 80, rows = 24 } = stdout;
    socket.send({ type: 'resize', shell_id: shell.id, cols: columns, rows: Math.max(1, rows - lessRows) });
  };
  const onResize = () => tellSize();
  let leave: (how: 'left') => void = () => undefined;
  const left = new Promise<'left'>((done) => {
    leave = done;
  });
  const onData = (chunk: Buffer | string) => {
    const typed = chunk.toString();
    const at = typed.indexOf(LEAVE);
    const data = at < 0 ? typed : typed.slice(0, at);
    if (data !== '') socket.send({ type: 'input', shell_id: shell.id, data });
    if (at >= 0) leave('left');
  };
  stdin.setRawMode(true);
  // Node leaves line feeds to be completed; the shell's own terminal has done that, and full-screen programs mean them as they are.
  spawnSync('stty', ['-opost'], { stdio: ['inherit', 'ignore', 'ignore'] });
  stdin.on('data', onData);
  stdin.once('end', leave);
  stdout.on('resize', onResize);
  // A program draws its screen anew only when the size has changed.
  tellSize(1);
  tellSize();
  const ending = await Promise.race([over, left]);
  stdout.off('resize', onResize);
  stdin.off('data', onData);
  stdin.off('end', leave);
  stdin.setRawMode(false);
  stdin.pause();
  socket.close();
  out.say(styled('dim', `\n${shell.id} ${ending === 'left' ? 'goes on.' : 'has ended.'}`));
  if (ending === 'left') return EXIT_LEFT;
  return ending.ok ? 0 : out.fail(ending.error);
}

interface Terminal extends World {
  readonly stdin: ReadStream;
  readonly stdout: World['stdout'] & { readonly columns?: number; readonly rows?: number };
}

/** A person sits before it: both ends are terminals. */
export function isTerminal(world: World): world is Terminal {
  return world.stdout.isTTY === true && 'setRawMode' in world.stdin && 'isTTY' in world.stdin;
}

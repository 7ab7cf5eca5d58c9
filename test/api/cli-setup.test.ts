/** Completions in real shells at a real terminal, and the man page as readers render it. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type IPty, spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Box, makeDir, openBox } from '../../src/testing/box.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MAIN = join(ROOT, 'dist/bin/signalbox.js');
const run = promisify(execFile);

/** A label that a shell would take apart if it were not quoted. */
const LABEL = `Fix the $(parser) & "co"`;

let folder = '';
let box: Box;
beforeAll(async () => {
  folder = await makeDir('setup');
  box = await openBox({ isDemo: true, flags: ['--demo'] });
  await run(process.execPath, [MAIN, '--home', box.home, 'conversations', 'new', '--label', LABEL]);
  await mkdir(join(folder, 'bin'));
  const shim = `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" --home "${box.home}" "$@"\n`;
  await writeFile(join(folder, 'bin/signalbox'), shim, { mode: 0o755 });
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout } = await run(process.execPath, [MAIN, 'completion', shell]);
    await writeFile(join(folder, `completion.${shell}`), stdout);
  }
});
afterAll(async () => {
  await box.close();
  await rm(folder, { recursive: true, force: true });
});

const hasProgram = (name: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((path) => {
    try {
      accessSync(join(path, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** A shell somebody types into, and the screen they look at. */
function openShell(file: string, args: readonly string[]) {
  const env = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}`,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    TERM: 'xterm',
    LANG: 'C.UTF-8',
  };
  const size = { cols: 200, rows: 50 };
  const pty: IPty = spawn(file, [...args], { cwd: folder, ...size, env });
  const screen = new headless.Terminal({ ...size, allowProposedApi: true });
  pty.onData((text) => screen.write(text));
  // fish asks its terminal what it is, and shows no prompt before it knows.
  screen.onData((text) => pty.write(text));
  const lines = (): string =>
    Array.from({ length: size.rows }, (_, row) => screen.buffer.active.getLine(row)?.translateToString(true)).join(
      '\n',
    );
  return {
    type: (text: string): void => pty.write(text),
    shows: (text: string) => expect.poll(lines, { timeout: 20_000 }).toContain(text),
    end: (): void => pty.kill('SIGKILL'),
  };
}

const SHELLS = {
  bash: { args: ['--norc', '--noprofile', '-i'], load: 'source ./completion.bash' },
  zsh: { args: ['-f', '-i'], load: 'autoload -Uz compinit; compinit -u -d ./zcompdump; source ./completion.zsh' },
  fish: { args: ['--no-config', '-i'], load: 'source ./completion.fish' },
} as const;

describe.each(Object.entries(SHELLS))('[CL25] %s', (name, { args, load }) => {
  test('completes commands, options and choices', async () => {
    const shell = openShell(name, args);
    try {
      // Quoted, so that only the output has it in one piece.
      shell.type(`${load}; echo re''ady\r`);
      await shell.shows('ready');
      shell.type('signalbox conversa\texp\t');
      await shell.shows('signalbox conversations export');
      shell.type('--form\thtm\t');
      await shell.shows('signalbox conversations export --format html');
      shell.type('\x15signalbox --home . doc\t--transp\tst\t');
      await shell.shows('signalbox --home . doctor --transport stdio');
      shell.type('\x15signalbox complet\tzs\t');
      await shell.shows('signalbox completion zsh');
      // Completed, quoted for the shell, and then given to the program as one word.
      shell.type("\x15signalbox conversations rename Fix\t 'Renamed by completion'\r");
      await shell.shows('is now called Renamed by completion');
      await run(process.execPath, [MAIN, '--home', box.home, 'conversations', 'rename', 'Renamed by c', LABEL]);
    } finally {
      shell.end();
    }
  });
});

test('[CL25] another shell is a usage error that names the known ones', async () => {
  const failed = await run(process.execPath, [MAIN, 'completion', 'csh']).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining('bash, zsh, fish') });
});

describe('[CL26] the man page', () => {
  test('is the one of this program', async () => {
    const { stdout } = await run(process.execPath, [MAIN, 'man']);
    expect(await readFile(join(ROOT, 'man/signalbox.1'), 'utf8')).toBe(stdout);
  });

  test.runIf(hasProgram('man') || hasProgram('groff') || hasProgram('mandoc'))(
    'is rendered without a warning',
    async () => {
      const page = join(ROOT, 'man/signalbox.1');
      const readers: [string, string[]][] = [
        ['groff', ['-man', '-Tutf8', '-ww', '-P-cbou', page]],
        ['mandoc', ['-T', 'utf8', '-W', 'warning', page]],
        ['man', ['-l', '--warnings', page]],
      ];
      for (const [reader, args] of readers.filter(([reader]) => hasProgram(reader))) {
        const { stdout, stderr } = await run(reader, args, {
          env: { ...process.env, MANWIDTH: '100', LC_ALL: 'C.UTF-8' },
        });
        expect(stderr).toBe('');
        const text = stdout.replace(/.\x08/g, '');
        expect(text).toContain('signalbox conversations export [options] <conversation>');
        expect(text).toContain('--no-start');
        expect(text).toContain('EXIT STATUS');
      }
    },
  );
});

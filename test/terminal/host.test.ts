/** The host without a server: no byte lost, exact snapshots, shells without marks. */
import headless from '@xterm/headless';
import { afterEach, expect, test } from 'vitest';
import { spawnPty } from '../../src/ptyhost/pty.ts';
import { openStand, type TerminalStand } from '../../src/testing/terminal-stand.ts';

let stand: TerminalStand | null = null;
afterEach(async () => {
  await stand?.close();
  stand = null;
});

const PATH = process.env.PATH ?? '';

function runOnce(command: readonly [string, ...string[]]): Promise<{ bytes: number; code: number | null }> {
  return new Promise((done) => {
    let bytes = 0;
    spawnPty({
      command,
      cwd: '/',
      env: { PATH },
      cols: 80,
      rows: 24,
      onBytes: (chunk) => {
        bytes += chunk.length;
      },
      onExit: (code) => done({ bytes, code }),
    });
  });
}

test('[TM17] sixty children that print 108 KB and exit at once lose nothing', async () => {
  const whole = Array.from({ length: 20_000 }, (_none, index) => `${index + 1}\r\n`).join('').length;
  for (let round = 0; round < 60; round += 1) {
    expect(await runOnce(['/bin/sh', '-c', 'exec seq 1 20000'])).toEqual({ bytes: whole, code: 0 });
  }
});

test('[TM18] a snapshot after a flood is what an emulator fed with every byte shows', async () => {
  stand = await openStand({ command: ['bash'], home: { '.bashrc': 'PS1="$ "\n' } });
  await stand.until('the first prompt', () => stand?.prompts() === 1);
  const flood = `printf '\\033[33m\\033[?1h'; for i in $(seq 1 30); do seq 1 20000; printf '\\033[1m'; done; echo end`;
  await stand.run(`${flood}\r`);
  // The mark behind the prompt is the last that is printed.
  await stand.until('the whole prompt', () => {
    const text = stand?.bytes().subarray(-2_000).toString() ?? '';
    return text.lastIndexOf(']133;B;') > text.lastIndexOf(']133;A;');
  });
  const emulator = new headless.Terminal({ cols: 80, rows: 24, scrollback: 5_000, allowProposedApi: true });
  await new Promise<void>((done) => emulator.write(stand?.bytes() ?? '', done));
  const { active } = emulator.buffer;
  const rows = Array.from(
    { length: 24 },
    (_none, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
  );
  const shown = await stand.terminal.screen();
  expect(shown.rows).toEqual(rows);
  expect([shown.cursor_row, shown.cursor_col]).toEqual([active.cursorY, active.cursorX]);
  const { lines } = await stand.terminal.scrollback(4_000);
  expect(lines.length).toBe(4_000);
  expect(lines.slice(-3, -1)).toEqual(['20000', 'end']);
  expect(lines[0]).toBe(String(20_000 - (4_000 - 3)));
});

test('[TM19] a shell without marks works, and has no blocks', async () => {
  stand = await openStand({ command: ['/bin/sh'], env: { PS1: 'sh> ' } });
  expect(stand.terminal.facts()).toMatchObject({ has_blocks: false });
  stand.type('echo unmarked $((40+2))\r');
  await stand.until('its output', () => stand?.bytes().includes('unmarked 42\r\n') === true);
  expect(stand.begun).toEqual([]);
  expect(await stand.terminal.exec('echo hi', 'user')).toMatchObject({ ok: false });
});

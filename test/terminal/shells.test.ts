/** Real shells on real PTYs: what a person does, and the exact block it becomes. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BlockRecord } from '../../src/contract/pty-host.ts';
import { openStand, type TerminalStand } from '../../src/testing/terminal-stand.ts';
import { SHELLS, SITUATIONS, type Situation } from './situations.ts';

describe.each(SHELLS)('%s', (shell) => {
  let stand: TerminalStand;
  beforeAll(async () => {
    stand = await openStand({
      command: [shell],
      home: {
        '.bashrc': 'HISTCONTROL=ignoreboth\nPS1="\\u \\w \\$ "\n',
        '.zshrc': 'PROMPT="%~ %# "\nsetopt hist_ignore_space interactive_comments\n',
        '.config/fish/config.fish': 'set -g fish_greeting\n',
      },
    });
    await stand.until('the first prompt', () => stand.prompts() > 0);
  });
  afterAll(() => stand.close());

  const rows = SITUATIONS.filter((one) => one.in === undefined || one.in.includes(shell));
  test.each(rows.map((one): [string, Situation] => [one.name, one]))('[TM1] %s', async (_name, situation) => {
    await untilReady(stand, shell);
    const seen: BlockRecord[] = [];
    for (const part of situation.parts) {
      if (typeof part === 'string') seen.push(...(await stand.run(part)));
      else {
        const from = stand.bytes().length;
        stand.type(part.type);
        await stand.until(part.until, () => stand.bytes().subarray(from).includes(part.until));
      }
    }
    const got = await Promise.all(
      seen.map(async (record) => ({
        cmd: record.cmd,
        exit: record.exit_code,
        status: record.status,
        out: await stand.output(record),
        ...(record.alt_screen && { alt: true }),
      })),
    );
    expect(got).toEqual(situation.blocks);
  });

  test('[TM1] blocks are numbered without a gap, end in the order they began, and say their directory', () => {
    const seqs = stand.ended.map((record) => record.seq);
    expect(seqs).toEqual(seqs.map((_seq, index) => index + 1));
    expect(stand.begun.map((record) => record.block_id)).toEqual(stand.ended.map((record) => record.block_id));
    expect(stand.ended.find((record) => record.cmd === 'pwd')?.cwd).toBe('/');
    expect(stand.ended[0]?.cwd).toBe(stand.cwd);
  });
});

/** What each shell prints last of its prompt, when it listens to keys; fish tells nothing. */
const LAST_OF_PROMPT = { bash: ']133;B;', zsh: '[?2004h', fish: ']133;A;' } as const;

/**
 * The mark of the prompt comes a little before the shell listens: a Ctrl-C in between is nobody's, and bash then prints no prompt until the
 * next key. A shell that has printed its prompt and sleeps listens to keys; nothing tells when it falls asleep, so it is asked again.
 */
async function untilReady(stand: TerminalStand, shell: (typeof SHELLS)[number]): Promise<void> {
  await stand.until('the whole prompt', () => {
    const text = stand.bytes().subarray(-8_000).toString();
    return text.lastIndexOf(LAST_OF_PROMPT[shell]) >= text.lastIndexOf(']133;A;');
  });
  await expect.poll(() => stateOf(stand.terminal.facts().pid), { interval: 2, timeout: 10_000 }).toBe('S');
}

/** The state of a process: `S` sleeps, `R` runs. It stands behind the name, which may hold any character. */
async function stateOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
}

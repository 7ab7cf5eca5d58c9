/** Every command there is: help with examples, one JSON document for `--json`, and the exit codes of its table. */
import { EventEmitter } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flatten, readTree } from '../../src/cli/command-tree.ts';
import { buildProgram, runProgram } from '../../src/cli/program.ts';
import { createRunner, type World } from '../../src/cli/runner.ts';
import { type Box, openBox } from '../../src/testing/box.ts';
import { CASES, type Case } from './cli-cases.ts';

class Recorder extends EventEmitter {
  text = '';
  write(text: string): boolean {
    this.text += text;
    return true;
  }
}

function worldOf(env: NodeJS.ProcessEnv, stdin = '') {
  const stdout = new Recorder();
  const stderr = new Recorder();
  const world: World = { command: '/opt/signalbox.js', env, stdin: Readable.from([stdin]), stdout, stderr };
  return { world, stdout, stderr };
}

const tree = readTree(buildProgram(createRunner(worldOf({}).world)));
const nodes = flatten(tree);
const leaves = nodes.filter(({ path, children }) => path.length > 0 && children.length === 0);
const nameOf = ({ path }: { readonly path: readonly string[] }): string => path.join(' ');

let box: Box;
const real = new Map<string, string>();
beforeAll(async () => {
  box = await openBox({ isDemo: true, flags: ['--demo'] });
  const id = await box.create({ label: 'Table' });
  expect((await run(['conversations', 'send', id, 'Hello'])).code).toBe(0);
  const { conversation } = await box.must('readConversation', { id });
  const spec = join(box.dir, 'spec.yaml');
  await writeFile(spec, 'version: "1"\nshells:\n  napper:\n    backend: proc\n    command: ["sleep", "600"]\n');
  real
    .set('$CONVERSATION', id)
    .set('$THREAD', conversation.thread_id ?? '')
    .set('$SPEC', spec);
});
afterAll(() => box.close());

async function run(args: readonly string[], { isAlone = false, stdin = '' } = {}) {
  // No PATH: what a command would start on this machine (a browser, systemctl) is not there to be started.
  const env = {
    HOME: box.dir,
    PATH: '',
    XDG_CONFIG_HOME: join(box.dir, 'config'),
    SIGNALBOX_HOME: isAlone ? join(box.dir, 'nowhere') : box.home,
    CODEX_HOME: box.codexHome,
  };
  const { world, stdout, stderr } = worldOf(env, stdin);
  const code = await runProgram(args, world);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

const filled = (words: readonly string[]): string[] => words.map((word) => real.get(word) ?? word);

test('[CL28] the table has every command and no other', () => {
  expect(leaves.length).toBeGreaterThan(10);
  expect(Object.keys(CASES).sort()).toEqual(leaves.map(nameOf).sort());
  expect(Object.values(CASES).every((cases) => cases.length > 0)).toBe(true);
});

describe.each(nodes.map((node) => [nameOf(node), node] as const))('[CL28] signalbox %s', (_name, node) => {
  test('explains itself, with examples', async () => {
    const { code, stdout } = await run([...node.path, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('\nExamples:\n  $ ');
    expect(stdout).toContain('--json');
    expect(node.description).not.toBe('');
    for (const { flags, description } of node.options) expect([flags, description]).not.toContain('');
    for (const [line] of node.examples) expect(line).toContain(['signalbox', ...node.path].join(' ').trim());
  });

  test('refuses an option it does not know', async () => {
    const { code, stdout, stderr } = await run([...node.path, '--no-such-option', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, code: 'invalid_request' });
    expect(stderr).toMatch(/^error: /);
  });
});

const rows = Object.entries(CASES).flatMap(([name, cases]) =>
  cases.map((one) => [name, one.when, one.code, one] as const),
);

test.each(rows)('[CL28] %s, when %s, exits with %i', async (name, _when, code, one: Case) => {
  const outcome = await run([...name.split(' '), ...filled(one.args), '--json'], one);
  expect(outcome).toMatchObject({ code });
  const documents = readDocuments(outcome.stdout);
  expect(documents.length).toBeGreaterThan(0);
  if (code !== 0 && code !== 1 && name !== 'service status') expect(documents.at(-1)).toMatchObject({ ok: false });
});

/** One document, or one a line. */
function readDocuments(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
}

test('[CL28] stop, when a server runs, exits with 0', async () => {
  expect((await run(['stop', '--json'])).code).toBe(0);
});

/** kill -9 of real processes that write: nothing acknowledged is lost, and a replaced file is old or new. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import ts from 'typescript';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openAppendLog } from './append-log.ts';
import { createLogReader } from './read-log.ts';

const CYCLES = 12;
let compiled = '';
let dir = '';
const children: ChildProcess[] = [];

beforeAll(() => {
  // Node 20 cannot run TypeScript: the children get a compiled copy of this folder.
  compiled = mkdtempSync(join(tmpdir(), 'sb-compiled-'));
  mkdirSync(join(compiled, 'node'));
  writeFileSync(join(compiled, 'package.json'), '{"type":"module"}');
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(compiled, 'node_modules'));
  const sources = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  for (const name of sources) {
    const { outputText } = ts.transpileModule(readFileSync(join(import.meta.dirname, name), 'utf8'), {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2022,
        rewriteRelativeImportExtensions: true,
      },
    });
    writeFileSync(join(compiled, 'node', name.replace(/\.ts$/, '.js')), outputText);
  }
});
afterAll(() => rmSync(compiled, { recursive: true }));
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sb-crash-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dir, { recursive: true });
});

/** Runs `code` until it has printed `lines` lines, kills it, and answers everything it printed. */
async function runAndKill(code: string, lines: number): Promise<string[]> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: join(compiled, 'node'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const printed: string[] = [];
  const exit = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    printed.push(line);
    if (printed.length === lines) child.kill('SIGKILL');
  }
  await exit;
  expect(child.signalCode).toBe('SIGKILL');
  return printed;
}

test('[ST2] a killed writer loses nothing it acknowledged, whenever it is killed', async () => {
  const path = join(dir, 't.jsonl');
  const code = `
    import { writeSync } from 'node:fs';
    import { openAppendLog } from './append-log.js';
    const log = await openAppendLog({ path: ${JSON.stringify(path)} });
    for (;;) {
      for (let i = 0; i < 8; i += 1) {
        const { seq, done } = log.append((seq) => '{"seq":' + seq + ',"a":{"b":"' + 'x'.repeat(seq * 7919 % 60000) + '"}}');
        done.then(() => writeSync(1, seq + '\\n'));
      }
      await log.drain();
    }`;
  let acked = 0;
  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    const printed = await runAndKill(code, 3 + cycle * 5);
    const seqs = printed.map(Number);
    expect(seqs).toEqual(seqs.map((_, i) => (seqs[0] ?? 0) + i));
    expect(seqs[0], 'no acknowledged seq is given twice').toBeGreaterThan(acked);
    acked = seqs.at(-1) ?? 0;
  }
  const log = await openAppendLog({ path });
  const reader = createLogReader({ path, index: log.index });
  const { lines } = await reader.read({ limit: 1e6, maxBytes: 1e9 });
  const stored = lines.map((line) => JSON.parse(line).seq);
  expect(stored).toEqual(stored.map((_, i) => i + 1));
  expect(stored.length).toBeGreaterThanOrEqual(acked);
  await reader.close();
  await log.close();
}, 60_000);

test('[ST4] a file whose writer is killed is always whole, old or new', async () => {
  const path = join(dir, 'meta.json');
  const code = `
    import { writeSync } from 'node:fs';
    import { writeFileAtomic } from './atomic-file.js';
    for (let i = 0; ; i += 1) {
      await writeFileAtomic(${JSON.stringify(path)}, JSON.stringify({ i, pad: String(i).repeat(20000) }));
      writeSync(1, i + '\\n');
    }`;
  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    const printed = await runAndKill(code, 1 + cycle);
    const { i, pad } = JSON.parse(readFileSync(path, 'utf8'));
    expect(pad).toBe(String(i).repeat(20000));
    expect(i).toBeGreaterThanOrEqual(Number(printed.at(-1)));
  }
}, 60_000);

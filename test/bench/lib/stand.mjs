/** What the benches share: folders, processes that are ended again, the memory of a process, Codex on its own. */
import { fork, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findCodex } from '../../../dist/server/codex/binary.js';

const ROOT = resolve(import.meta.dirname, '../../..');
export const CLI = join(ROOT, 'dist/bin/signalbox.js');

const undo = [];

/** Not below the temp directory: Codex refuses to put its helpers there. */
export function makeDir(prefix) {
  mkdirSync(join(ROOT, '.tmp'), { recursive: true });
  const dir = mkdtempSync(join(ROOT, '.tmp', `${prefix}-`));
  undo.push(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  return dir;
}

/** To be undone when the bench ends, the last first; answers a function that does it earlier. */
export function onEnd(step) {
  undo.push(step);
  return async () => {
    undo.splice(undo.indexOf(step), 1);
    await step();
  };
}

/** Runs a bench, then ends and removes what it left, whatever happened. */
export async function bench(perform) {
  const stop = (signal) => cleanUp().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop);
  try {
    await perform();
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${error.stack ?? error}\n`);
  } finally {
    await cleanUp();
    // A box that failed to open leaves its model listening, and with it this process.
    process.exit();
  }
}

async function cleanUp() {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
}

export async function codexBinary() {
  const found = await findCodex(undefined);
  if (!found.ok) throw new Error(found.error.message);
  return found.value.path;
}

/** A process that is killed when the bench ends. */
export function start(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], ...options });
  child.stdin?.on('error', () => undefined);
  child.end = onEnd(() => end(child));
  return child;
}

/** A helper process of ours with a line of commands: `ask(command)` resolves with its answer. */
export function startHelper(path, options = {}) {
  const child = fork(path, [], { serialization: 'advanced', ...options });
  let answer = { resolve: () => undefined, reject: () => undefined };
  child.on('message', ({ error, value }) =>
    error === undefined ? answer.resolve(value) : answer.reject(new Error(error)),
  );
  child.on('exit', (code) => answer.reject(new Error(`${path} ended with ${code}`)));
  const stop = onEnd(() => end(child));
  return {
    pid: child.pid,
    stop,
    ask: (command) =>
      new Promise((done, fail) => {
        answer = { resolve: done, reject: fail };
        child.send(command);
      }),
  };
}

/** The other side of `startHelper`. */
export function answerCommands(handle) {
  process.on('message', (command) => {
    handle(command).then(
      (value) => process.send({ value }),
      (error) => process.send({ error: String(error.stack ?? error) }),
    );
  });
  process.on('disconnect', () => process.exit());
}

export async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await exited;
}

/** Resident memory in MB. */
export function rssOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** Looks every few milliseconds; `stop` answers the highest. */
export function watchRss(pid, everyMs = 20) {
  let highest = rssOf(pid);
  const look = () => {
    highest = Math.max(highest, rssOf(pid));
  };
  const timer = setInterval(look, everyMs);
  return () => {
    look();
    clearInterval(timer);
    return highest;
  };
}

export async function until(isTrue, what, timeoutMs = 30_000) {
  const deadline = performance.now() + timeoutMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await sleep(5);
  }
}

/** Child processes for the scripts: progress lines, elapsed time, signals passed on. Built-ins only: it runs before `npm ci`. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** A quiet command says that it is still alive this often, so that nobody takes a slow install for a hung one. */
const HEARTBEAT_MS = 10_000;

/** The file behind a tool's command, run with our own Node: no shell, no npx lookup. */
export function toolPath(relativeToNodeModules) {
  return join(ROOT, 'node_modules', relativeToNodeModules);
}

export function say(text) {
  process.stderr.write(`signalbox: ${text}\n`);
}

export function seconds(sinceMs) {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
}

/**
 * Runs a command with inherited output and resolves to its exit code (128 + n after signal n). `isQuiet`: stdout is left to the script itself,
 * and what the command prints goes to stderr.
 * Signals that reach only us are passed on, so that stopping the script stops what it started.
 */
export function run(command, args, { label, cwd = ROOT, env = process.env, isQuiet = false } = {}) {
  const startedMs = performance.now();
  const child = spawn(command, args, { cwd, env, stdio: ['inherit', isQuiet ? 2 : 'inherit', 'inherit'] });
  const heartbeat = label && setInterval(() => say(`${label} … ${seconds(startedMs)}`), HEARTBEAT_MS);
  const stopForwarding = forwardSignals(child);
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearInterval(heartbeat);
      stopForwarding();
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      settle();
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/** Runs one of our tools (a JavaScript file below node_modules) with this very Node. */
export function runTool(relativeToNodeModules, args, options) {
  return run(process.execPath, [toolPath(relativeToNodeModules), ...args], options);
}

function forwardSignals(child) {
  // In a terminal Ctrl-C reaches the whole process group: passing it on would be a second one, which means "at once" to a server.
  const isTerminal = [0, 1, 2].some((fd) => isatty(fd));
  const listeners = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    const listener = () => {
      if (signal !== 'SIGINT' || !isTerminal) child.kill(signal);
    };
    process.on(signal, listener);
    return [signal, listener];
  });
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}

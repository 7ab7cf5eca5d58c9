/** Lists the files below a directory as NUL-separated relative paths, streamed: with ripgrep, or by reading the directories. */
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface Listing {
  /** Ends it early; `done` then still resolves. */
  stop(): void;
  readonly done: Promise<void>;
}

/**
 * `.gitignore` holds, also outside a repository; links are not followed, so that nothing outside is named. The user's own
 * ripgrep settings are left out: they could make it follow links or run a program.
 */
const RG_ARGS = [
  '--no-config',
  '--files',
  '--null',
  '--hidden',
  '--no-require-git',
  '--no-messages',
  '--glob',
  '!.git',
];
/** A million files take seconds. A ripgrep that hangs (a dead network disk) must not keep the list from ever being made again. */
const LIST_LIMIT_MS = 120_000;
/** Without ripgrep nothing reads `.gitignore`; these two are what makes a tree large. */
const SKIPPED = new Set(['.git', 'node_modules']);
/** A chunk of our own listing: enough to be cheap, little enough to come soon. */
const WALK_CHUNK_PATHS = 500;

export function listTree(root: string, rg: string | null, onChunk: (chunk: Uint8Array) => void): Listing {
  return rg === null ? walk(root, onChunk) : runRg(root, rg, onChunk);
}

function runRg(root: string, rg: string, onChunk: (chunk: Uint8Array) => void): Listing {
  const child = spawn(rg, RG_ARGS, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: LIST_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  child.stdout.on('data', onChunk);
  let fallback: Listing | null = null;
  let isStopped = false;
  const done = new Promise<void>((resolve) => {
    child.on('error', () => {
      // It was there when we looked and cannot be run: another machine's, or gone.
      if (isStopped) return resolve();
      fallback = walk(root, onChunk);
      void fallback.done.then(resolve);
    });
    child.on('close', () => {
      if (fallback === null) resolve();
    });
  });
  return {
    stop() {
      isStopped = true;
      child.kill('SIGKILL');
      fallback?.stop();
    },
    done,
  };
}

function walk(root: string, onChunk: (chunk: Uint8Array) => void): Listing {
  let isStopped = false;
  const run = async () => {
    const waiting = [''];
    let paths: string[] = [];
    const flush = () => {
      if (paths.length > 0) onChunk(Buffer.from(`${paths.join('\0')}\0`));
      paths = [];
    };
    for (let next = waiting.shift(); next !== undefined && !isStopped; next = waiting.shift()) {
      // One that vanished or may not be read is left out.
      for (const entry of await readdir(join(root, next), { withFileTypes: true }).catch(() => [])) {
        const path = next === '' ? entry.name : `${next}/${entry.name}`;
        if (entry.isFile()) paths.push(path);
        else if (entry.isDirectory() && !SKIPPED.has(entry.name)) waiting.push(path);
      }
      if (paths.length >= WALK_CHUNK_PATHS) flush();
    }
    flush();
  };
  return {
    stop() {
      isStopped = true;
    },
    done: run(),
  };
}

/** Finds out by trying which process becomes the parent of an orphan of this process: the first process, or a manager such as `systemd --user`. */
import { spawn } from 'node:child_process';
import { readProcess } from './ancestry.ts';

/** Long enough to be looked at on a loaded machine; it is ended right after. */
const ORPHAN_SECONDS = 20;
/** The start of the server waits for it. */
const LIMIT_MS = 2_000;

/** Null where it cannot be found out. */
export function findAdopter(): Promise<number | null> {
  return new Promise((done) => {
    const child = spawn('sh', ['-c', `sleep ${ORPHAN_SECONDS} >/dev/null 2>&1 & echo $!`], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH },
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.once('error', () => done(null));
    child.once('close', () => {
      const orphan = Number(text.trim());
      const adopter = readProcess(orphan)?.parentPid ?? null;
      if (adopter !== null) endQuietly(orphan);
      done(adopter);
    });
  });
}

function endQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

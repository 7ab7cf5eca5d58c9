/** `debug_raw.jsonl`: the raw lines to and from Codex while debug mode is on. Private, bounded, and never a reason for the server to fail. */
import { closeSync, constants, fchmodSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

export interface DebugFile {
  write(line: string): void;
  close(): void;
}

/** Some hours of work; with the file before it, twice as much. */
const MAX_BYTES = 16 * 1024 * 1024;
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

/** Opened with the first line: without debug mode there is no file. A full file becomes `….1` and takes the place of the one before it. */
export function createDebugFile(path: string, maxBytes = MAX_BYTES): DebugFile {
  let open: { readonly fd: number; bytes: number } | null = null;

  const close = () => {
    if (open !== null) closeSync(open.fd);
    open = null;
  };

  const current = (): { readonly fd: number; bytes: number } => {
    if (open !== null && open.bytes >= maxBytes) {
      close();
      renameSync(path, `${path}.1`);
    }
    if (open === null) {
      const fd = openSync(path, FLAGS, 0o600);
      fchmodSync(fd, 0o600);
      open = { fd, bytes: fstatSync(fd).size };
    }
    return open;
  };

  return {
    write(line) {
      const bytes = Buffer.from(`${line}\n`);
      try {
        const file = current();
        file.bytes += writeSync(file.fd, bytes);
      } catch {
        // A full disk or a foreign file in its place: the lines are still in memory, and the server goes on.
        close();
      }
    },
    close,
  };
}

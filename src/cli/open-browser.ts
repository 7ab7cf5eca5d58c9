/** Opens a login link in the person's browser without showing it to whoever can list processes. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { delimiter, join } from 'node:path';
import { writeFileAtomic } from '../node/atomic-file.ts';
import { isExecutable } from '../node/path-kind.ts';

/** A slow browser has read the file by then; the link itself is used up with the first look. */
const KEEP_SECONDS = 60;

export interface BrowserWish {
  readonly isWanted: boolean;
  readonly isJson: boolean;
  readonly isTTY: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/** The program to open a file with; null where nobody would see a browser. */
export function browserOpener(wish: BrowserWish): string | null {
  const { env } = wish;
  if (!wish.isWanted || wish.isJson || !wish.isTTY || (env.CI ?? '') !== '') return null;
  if (process.platform === 'darwin') return findProgram('open', env);
  const hasScreen = (env.DISPLAY ?? '') !== '' || (env.WAYLAND_DISPLAY ?? '') !== '';
  return hasScreen ? findProgram('xdg-open', env) : null;
}

/** Arguments are public to every process of the machine, so the opener is given a private file that leads on to the link. */
export async function openInBrowser(
  opener: string,
  url: string,
  runDir: string,
  options: { readonly keepSeconds?: number } = {},
): Promise<void> {
  const path = join(runDir, `open-${randomBytes(8).toString('hex')}.html`);
  await writeFileAtomic(path, renderRedirect(url));
  // A process of its own, so that the file goes even if we are killed.
  start('/bin/sh', ['-c', 'sleep "$1"; rm -f -- "$2"', 'sh', String(options.keepSeconds ?? KEEP_SECONDS), path]);
  start(opener, [path]);
}

export function renderRedirect(url: string): string {
  const address = url.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${address}">
<title>Signalbox</title>
<p><a href="${address}">Open Signalbox</a></p>
`;
}

export function findProgram(name: string, env: NodeJS.ProcessEnv): string | null {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

function start(program: string, args: readonly string[]): void {
  const child = spawn(program, args, { detached: true, stdio: 'ignore' });
  // The link was printed as well: a browser that does not open is no failure.
  child.on('error', () => undefined);
  child.unref();
}

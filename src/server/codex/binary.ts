/** Which Codex to run: the native binary of the pinned package, or the one the user names. */
import { execFile } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { fail, ok, type Result } from '../../contract/result.ts';
import { isExecutable } from '../../node/path-kind.ts';

export interface CodexBinary {
  readonly path: string;
  /** For display; what it can do is known after `initialize`. */
  readonly version: string | null;
  /** Old versions speak over a pipe only. */
  readonly canListen: boolean;
}

const TRIPLES: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
};

/** `codexHome`: Codex writes into its home also when it is only asked about itself, so a named one is never asked with another home. */
export async function findCodex(command: string | undefined, codexHome: string): Promise<Result<CodexBinary>> {
  return command === undefined ? bundledCodex() : namedCodex(command, codexHome);
}

/** Spawned directly: the package's own launcher is one more process that would have to be watched. */
function bundledCodex(): Result<CodexBinary> {
  const platform = `${process.platform}-${process.arch}`;
  const triple = TRIPLES[platform];
  if (triple === undefined)
    return fail('codex_unavailable', `there is no bundled Codex for ${platform}: name one with --codex-bin`);
  try {
    const require = createRequire(import.meta.url);
    const launcher = require.resolve('@openai/codex/package.json');
    const native = createRequire(launcher).resolve(`@openai/codex-${platform}/package.json`);
    const path = join(dirname(native), 'vendor', triple, 'bin', 'codex');
    accessSync(path, constants.X_OK);
    const { version } = JSON.parse(readFileSync(launcher, 'utf8'));
    return ok({ path, version: String(version), canListen: true });
  } catch (cause) {
    return fail('codex_unavailable', 'the bundled Codex is missing: run `npm ci`, or name another with --codex-bin', {
      cause: String(cause),
    });
  }
}

async function namedCodex(command: string, codexHome: string): Promise<Result<CodexBinary>> {
  const path = findOnPath(command);
  if (path === null)
    return fail('codex_unavailable', `there is no program ${command}: check --codex-bin or codex.command`);
  const help = await output(path, ['app-server', '--help'], codexHome);
  if (help === 'silent') {
    const waited = `${ASK_TIMEOUT_MS / 1000} s`;
    return fail(
      'codex_unavailable',
      `${path} did not answer \`app-server --help\` within ${waited}: it hangs, or is not Codex`,
    );
  }
  if (help === null) return fail('codex_unavailable', `${path} has no app-server command: it is too old, or not Codex`);
  const version = /(?<!\d)(\d+\.\d+\.\d+\S*)/.exec((await output(path, ['--version'], codexHome)) ?? '')?.[1] ?? null;
  return ok({ path, version, canListen: canListen(help) });
}

/**
 * Whether this Codex speaks WebSocket on a Unix socket, judged by the help of `app-server`. 0.110.0 has `--listen` without `unix://`; 0.125.0 has
 * `unix://` and does not answer a WebSocket there. Those that do also have the flag `--stdio`.
 */
export function canListen(help: string): boolean {
  return help.includes('unix://') && /^[ \t]+--stdio\b/m.test(help);
}

function findOnPath(command: string): string | null {
  const candidates =
    isAbsolute(command) || command.includes('/')
      ? [resolve(command)]
      : (process.env.PATH ?? '').split(delimiter).map((dir) => join(dir, command));
  return candidates.find(isExecutable) ?? null;
}

/** A program that does not answer a question about itself in this time is not one we can drive. */
const ASK_TIMEOUT_MS = 5_000;

/** Null if it failed; `silent` if it was killed because it took too long. */
function output(path: string, args: readonly string[], codexHome: string): Promise<string | null> {
  return new Promise((done) => {
    // It may ignore SIGTERM.
    const limits = { timeout: ASK_TIMEOUT_MS, killSignal: 'SIGKILL' as const };
    execFile(path, args, { ...limits, env: { ...process.env, CODEX_HOME: codexHome } }, (error, stdout) => {
      if (error === null) done(stdout);
      else done(error.killed === true ? 'silent' : null);
    });
  });
}

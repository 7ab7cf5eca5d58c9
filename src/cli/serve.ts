/** `serve`: runs the server in this process. The only file that imports `server/main.ts`, and with it everything heavy. */
import { renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '../contract/result.ts';
import { ensurePrivateDir, FileError } from '../node/atomic-file.ts';
import { createLogger, type Logger } from '../node/logger.ts';
import { loadSettings, type RunningServer, type Settings, type SettingsFlags, startServer } from '../server/main.ts';
import { EXIT_INTERRUPTED } from './exit-codes.ts';
import { browserOpener, openInBrowser } from './open-browser.ts';
import { type Output, styled } from './output.ts';

export { loadSettings, type SettingsFlags, webhooksWithoutSecret } from '../server/main.ts';

export interface ServeRequest {
  readonly flags: SettingsFlags;
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  readonly isTTY: boolean;
}

/** Kept twice at most: this one and the one before. */
const MAX_LOG_BYTES = 16 * 1024 * 1024;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export async function serve(out: Output, request: ServeRequest): Promise<number> {
  const settings = loadSettings({ flags: request.flags, env: request.env });
  if (!settings.ok) return out.fail(settings.error);
  for (const warning of settings.value.warnings) out.say(styled('yellow', `warning: ${warning}`));
  const { config, home, codexHome } = settings.value;
  const log = await openLog(settings.value);
  if (!log.ok) return out.fail(log.error);
  const stop = watchSignals(out);
  const started = await startServer({ config, home, codexHome, version: request.version, log: log.value });
  if (!started.ok) return out.fail(started.error);
  const server = started.value;
  if (stop.isAsked()) {
    await server.stop();
    return EXIT_INTERRUPTED;
  }
  await announce(out, server, request, settings.value);
  await Promise.race([stop.asked, server.stopped]);
  await server.stop();
  return 0;
}

/** The first signal asks, the second does not wait for anybody. */
function watchSignals(out: Output): { isAsked(): boolean; readonly asked: Promise<void> } {
  let isAsked = false;
  let ask: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (isAsked) process.exit(EXIT_INTERRUPTED);
      isAsked = true;
      if (!out.isJson) out.say('stopping; once more to stop at once');
      ask();
    });
  }
  return { isAsked: () => isAsked, asked };
}

async function announce(out: Output, server: RunningServer, request: ServeRequest, settings: Settings): Promise<void> {
  const login_url = server.loginUrl();
  const { url, home } = server;
  if (out.isJson) return out.json({ event: 'ready', url, login_url, pid: process.pid, home });
  await out.print(styled('bold', `Signalbox ${request.version}`), ' is running.');
  await out.print('');
  await out.print('  Open  ', styled('cyan', login_url));
  await out.print('  Home  ', home);
  await out.print('');
  await out.print('The link works once; `signalbox open` gives another. Stop with Ctrl-C or `signalbox stop`.');
  const opener = browserOpener({
    isWanted: settings.config.server.open,
    isJson: out.isJson,
    isTTY: request.isTTY,
    env: request.env,
  });
  if (opener !== null) await openInBrowser(opener, server.loginUrl(), join(home, 'run'));
  void tellCodex(out, home);
}

/** Codex comes up beside the server, and a person who waits for it should know what they will talk to. */
async function tellCodex(out: Output, home: string): Promise<void> {
  const { connect } = await import('./client.ts');
  const client = connect(home);
  if (!client.ok) return;
  const answer = await client.value.call('initialize', {});
  if (!answer.ok) return out.say(styled('red', 'Codex: '), answer.error.message);
  const { version, demo, message } = answer.value.codex;
  out.say(styled('green', 'Codex: '), `${version ?? 'unknown version'}${message === null ? '' : `: ${message}`}`);
  if (demo)
    out.say(
      styled('yellow', 'Demo model: '),
      'a built-in script answers, which is not an AI. Sign in from the page to talk to one.',
    );
}

/** In the home, since a terminal is for people; with `--debug` on stderr, where whoever debugs looks. */
async function openLog({ config, home }: Settings): Promise<Result<Logger>> {
  const { level } = config.log;
  if (config.debug.enabled) return ok(createLogger({ level }));
  const runDir = join(home, 'run');
  try {
    await ensurePrivateDir(home);
    await ensurePrivateDir(runDir);
    const file = join(runDir, 'server.log');
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) renameSync(file, `${file}.1`);
    return ok(createLogger({ level, file }));
  } catch (error) {
    const reason = error instanceof FileError ? error.code : String(error);
    return fail('invalid_request', `the home ${home} cannot be used: ${reason}`, { home });
  }
}

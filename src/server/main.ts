/** The composition root: one server per home. Builds, wires, listens, and lets go of everything again. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config } from '../contract/config.ts';
import { ok, type Result } from '../contract/result.ts';
import type { ServerRecord } from '../contract/run-files.ts';
import { writeFileAtomic } from '../node/atomic-file.ts';
import { systemClock as clock } from '../node/clock.ts';
import type { Logger } from '../node/logger.ts';
import { controlSocketPath, serverRecordPath } from '../node/places.ts';
import { startTimeOf } from '../node/process-identity.ts';
import { claimHome } from './claim-home.ts';
import { findCodex } from './codex/binary.ts';
import { readCodexRecord } from './codex/launch.ts';
import { createCodexProcesses, ownCodex } from './compose/codex-shells.ts';
import { type Composition, compose } from './compose/compose.ts';
import { composeEvents, lateHooks } from './compose/events.ts';
import { createLauncher } from './compose/launch-plan.ts';
import { createHostStarter } from './compose/pty-host-shells.ts';
import { createPtyBackend } from './compose/pty-programs.ts';
import { composeStatus } from './compose/status.ts';
import { openPreferences } from './config/preferences.ts';
import { startControl } from './control.ts';
import { createLifecycleBus } from './conversations/lifecycle-bus.ts';
import { createDebugRing } from './debug-ring.ts';
import { openCredentials } from './http/credentials.ts';
import { startListening } from './http/listen.ts';
import { createMcpDoor } from './mcp/mcp-door.ts';
import { openMcpTokens } from './mcp/tokens.ts';
import { startNotify } from './notify/notify.ts';
import { createLazyShells } from './shells/lazy-shells.ts';
import { createHostLauncher } from './terminal/host-launcher.ts';

export { loadSettings, type Settings, type SettingsFlags } from './config/config.ts';
export { webhooksWithoutSecret } from './config/webhook-secrets.ts';

export interface ServerOptions {
  readonly config: Config;
  readonly home: string;
  readonly codexHome: string;
  readonly version: string;
  readonly log: Logger;
}

export interface RunningServer {
  readonly url: string;
  readonly home: string;
  /** A fresh one-time link each time. */
  loginUrl(): string;
  stop(): Promise<void>;
  readonly stopped: Promise<void>;
}

const WEB_ROOT = resolve(import.meta.dirname, '../web');

export async function startServer(options: ServerOptions): Promise<Result<RunningServer>> {
  const { config, home, log } = options;
  const claimed = await claimHome(home, log);
  if (!claimed.ok) return claimed;
  const { runDir, release } = claimed.value;
  const undo: (() => Promise<unknown> | unknown)[] = [release];
  const unwind = async () => {
    for (const step of undo.reverse()) await step();
  };
  const built = await build(options, runDir, undo).catch(async (error: unknown) => {
    await unwind();
    throw error;
  });
  if (!built.ok) {
    await unwind();
    return built;
  }
  const { url, mintLogin } = built.value;
  let stopping: Promise<void> | null = null;
  let markStopped = () => {};
  const stopped = new Promise<void>((done) => {
    markStopped = done;
  });
  log.info({ url, home, level: config.log.level }, 'ready');
  return ok({
    url,
    home,
    loginUrl: mintLogin,
    stopped,
    stop() {
      stopping ??= unwind().finally(markStopped);
      return stopping;
    },
  });
}

interface Built {
  readonly url: string;
  readonly mintLogin: () => string;
}

async function build(options: ServerOptions, runDir: string, undo: (() => unknown)[]): Promise<Result<Built>> {
  const { config, home, codexHome, version, log } = options;
  const startedAt = clock.now();
  const binary = await findCodex(config.codex.command);
  if (!binary.ok) return binary;
  const tokens = await openMcpTokens(runDir);
  let mcpUrl = '';
  const mcp = { tokens, url: () => mcpUrl };
  const codexDoor = () => (mcpUrl === '' ? null : { url: mcpUrl, token: tokens.mint({ kind: 'codex' }) });
  const env = process.env;
  const launcher = await createLauncher({
    config,
    binary: binary.value.path,
    codexHome,
    runDir,
    env,
    mcp: codexDoor,
  });
  undo.push(launcher.close);
  const mayCreateSecret = config.shells.create_secret;
  const pty = createPtyBackend({ launcher: () => hostLauncher, clock });
  const shells = createLazyShells({ home, env: process.env, mayCreateSecret, clock, log, pty });
  const hostLauncher = createHostLauncher({ runDir, env: process.env, startHost: createHostStarter(shells), clock });
  undo.push(shells.close);
  const preferences = await openPreferences(home, config);
  const debug = createDebugRing(clock, config.debug.enabled);
  const hooks = lateHooks();
  const lifecycle = createLifecycleBus(log);
  const stack = compose({
    home,
    events: hooks,
    lifecycle,
    binary: binary.value,
    transport: config.codex.transport,
    processes: createCodexProcesses(shells),
    launcher,
    preferences,
    debug,
    terminals: {
      launcher: hostLauncher,
      runDir,
      shell: config.terminal.shell,
      outputHeadBytes: config.terminal.output_head_bytes,
      outputTailBytes: config.terminal.output_tail_bytes,
      env: process.env,
    },
    clock,
    log,
  });
  const { link, hub, registry, terminals } = stack;
  let url = '';
  const eventStack = await composeEvents({ ...options, ...stack, lifecycle, httpUrl: () => url, clock });
  hooks.bind(eventStack);
  undo.push(
    registry.close,
    terminals.stop,
    () => letGoOfCodex(stack),
    eventStack.events.close,
    stack.files.close,
    stack.loginWatch.close,
    stack.board.close,
  );

  undo.push(
    startNotify({ ...options, command: config.notify.command, lifecycle, metaOf: registry.metaOf, env, clock }),
  );
  const { status, debugState, metrics } = composeStatus({ ...options, stack, startedAt, clock });
  undo.push(stack.context.followTerminals(terminals));
  const mcpDoor = createMcpDoor({
    tokens,
    open: async () => (await import('./compose/mcp.ts')).composeMcp(stack, options),
  });
  undo.push(mcpDoor.close);
  const apiToken = randomBytes(32).toString('hex');
  const credentials = await openCredentials({ runDir, clock, apiToken });
  const rooms = async () => {
    const { composeRooms } = await import('./compose/rooms.ts');
    return composeRooms({
      ...stack,
      ...eventStack,
      preferences,
      shells,
      debug,
      mcp,
      facts: { version },
      status,
      debugState,
      endSession: credentials.endSession,
      clock,
      log,
    });
  };
  await registry.boot();
  await terminals.adopt();
  const listen = (port: number) =>
    startListening({
      host: config.server.host,
      port,
      rooms,
      credentials,
      hub,
      webRoot: WEB_ROOT,
      rawTap: debug,
      mcp: mcpDoor,
      metrics,
      clock,
      log,
    });
  const listening = await listenAgain(listen, config.server.port, tokens.lastPort);
  if (!listening.ok) return listening;
  const { port } = listening.value;
  url = listening.value.url;
  mcpUrl = `${url}/mcp`;
  await tokens.notePort(port);
  undo.push(listening.value.stop, hub.stop, stack.board.endWaits);

  const mintLogin = () => `${url}/login?token=${credentials.mintLogin()}`;
  const control = await startControl({
    path: controlSocketPath(home),
    mintLogin,
    // The record too: while we reconnect, the link does not know its process, but the process may well ask.
    // The shared terminals too: the agent types there. And the shells, ours or of a server before us: the API token starts them.
    forbiddenPids: () =>
      [
        process.pid,
        link.status().pid,
        readCodexRecord(runDir)?.pid,
        terminals.hostPid(),
        ...(shells.peek()?.pids() ?? []),
      ].filter((pid) => typeof pid === 'number'),
    log,
  });
  undo.push(control.stop);

  const recordPath = serverRecordPath(home);
  const record: ServerRecord = {
    pid: process.pid,
    start_time: startTimeOf(process.pid),
    url,
    api_token: apiToken,
    started_at: new Date(startedAt).toISOString(),
    version,
  };
  await writeFileAtomic(recordPath, `${JSON.stringify(record)}\n`);
  undo.push(() => rm(recordPath, { force: true }));

  // We listen at once; Codex comes up beside it. Then what answers is loaded, unless a request has asked for it before.
  void link.start().then(listening.value.load);
  void ownCodex(shells, link);
  void stack.actions.emptyTrash();
  stack.board
    .subscribe(() => hub.broadcast({ type: 'board_news' }))
    .catch((error: unknown) => log.error({ error }, 'the board cannot be read'));
  eventStack.start().catch((error: unknown) => log.error({ error }, 'threads cannot be reached by events'));
  return ok({ url, mintLogin });
}

/** Where any port will do, the one of last time does best: a Codex that outlives us goes on calling it. */
async function listenAgain<T>(
  listen: (port: number) => Promise<Result<T>>,
  wanted: number,
  last: number | null,
): Promise<Result<T>> {
  const again = wanted === 0 && last !== null ? await listen(last) : null;
  return again?.ok === true ? again : listen(wanted);
}

/** A turn that runs is left to finish and found again at the next start; an idle Codex is ended. */
async function letGoOfCodex({ link, registry }: Composition): Promise<void> {
  const isBusy = registry.loaded().some((conversation) => conversation.session.state().turn !== null);
  await (isBusy ? link.detach() : link.stop());
}

/** The composition root: one server per home. Listens, builds each part after those it uses, serves, and closes everything again. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config } from '../contract/config.ts';
import { ok, type Result } from '../contract/result.ts';
import type { ServerRecord } from '../contract/run-files.ts';
import type { LinkMaker } from '../core/access/login-confirmation.ts';
import { writeFileAtomic } from '../node/atomic-file.ts';
import { systemClock as clock } from '../node/clock.ts';
import { createLimitMark } from '../node/limit-mark.ts';
import type { Logger } from '../node/logger.ts';
import { controlSocketPath, debugRawPath, serverRecordPath } from '../node/places.ts';
import { startTimeOf } from '../node/process-identity.ts';
import { noteFirstStart } from './access/first-start.ts';
import { createPresence } from './access/presence.ts';
import { openHomeSeals } from './access/sealed-files.ts';
import { createTerminalLogins } from './access/terminal-logins.ts';
import { claimHome } from './claim-home.ts';
import { findCodex } from './codex/binary.ts';
import { withGitGuard } from './codex/git-guard.ts';
import { composeAccess } from './compose/access.ts';
import { startAdapters } from './compose/adapter-shells.ts';
import { createCodexProcesses, ownCodex } from './compose/codex-shells.ts';
import { type Composition, compose } from './compose/compose.ts';
import { createLauncher } from './compose/launch-plan.ts';
import { composeShells } from './compose/shells.ts';
import { composeStatus } from './compose/status.ts';
import { openPageSettings } from './config/page-settings.ts';
import { openPreferences } from './config/preferences.ts';
import { startControl } from './control.ts';
import { createDebugFile } from './debug-file.ts';
import { createDebugRing } from './debug-ring.ts';
import { openCredentials } from './http/credentials.ts';
import { openEventListener } from './http/event-listener.ts';
import { boundRequest } from './http/json-body.ts';
import type { Rooms } from './http/lazy-rooms.ts';
import { type Listening, startListening } from './http/listen.ts';
import { createMcpDoor } from './mcp/mcp-door.ts';
import { openMcpTokens } from './mcp/tokens.ts';
import { startNotify } from './notify/notify.ts';
import { refusePlatform } from './refuse-platform.ts';
import type { LazyShells } from './shells/lazy-shells.ts';
import { createUnwind, type Unwind } from './unwind.ts';

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
const GIT_GUARD = resolve(import.meta.dirname, '../../shell-integration/codex');

export async function startServer(options: ServerOptions): Promise<Result<RunningServer>> {
  const { config, home, log } = options;
  const refusal = refusePlatform(process.platform);
  if (refusal !== null) return { ok: false, error: refusal };
  const claimed = await claimHome(home, log);
  if (!claimed.ok) return claimed;
  const { runDir, release } = claimed.value;
  const undo = createUnwind({ clock, log });
  undo.add('lock', release);
  const built = await build(options, runDir, undo).catch(async (error: unknown) => {
    await undo.run();
    throw error;
  });
  if (!built.ok) {
    await undo.run();
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
    loginUrl: () => mintLogin(),
    stopped,
    stop() {
      stopping ??= undo.run().finally(markStopped);
      return stopping;
    },
  });
}

interface Built {
  readonly url: string;
  readonly mintLogin: (maker?: LinkMaker) => string;
}

async function build(options: ServerOptions, runDir: string, undo: Unwind): Promise<Result<Built>> {
  const { config, home, version, log } = options;
  const { env } = process;
  const startedAt = clock.now();
  const binary = await findCodex(config.codex.command, options.codexHome);
  if (!binary.ok) return binary;
  const tokens = await openMcpTokens(runDir);
  // First of all, since much of the rest names the address. Requests wait until `serve`.
  const listening = await listenAgain(config, tokens.lastPort);
  if (!listening.ok) return listening;
  const { url, port, serve, stop } = listening.value;
  undo.add('http', stop);
  await tokens.notePort(port);
  const eventListener = await openEventListener(config.external_events, clock);
  if (!eventListener.ok) return eventListener;
  if (eventListener.value !== null) undo.add('event listener', eventListener.value.stop);
  const mcp = { tokens, url: `${url}/mcp` };
  const codexDoor = { url: mcp.url, token: tokens.mint({ kind: 'codex' }) };
  const codexEnv = withGitGuard(env, GIT_GUARD);
  const path = binary.value.path;
  const launcher = await createLauncher({ ...options, binary: path, runDir, env: codexEnv, mcp: codexDoor });
  undo.add('demo model', launcher.close);
  const limitMark = createLimitMark();
  const origin = await noteFirstStart(runDir, limitMark);
  const mayCreateSecret = config.shells.create_secret;
  const { shells, hostLauncher } = composeShells({ ...options, runDir, env, mayCreateSecret, limitMark, clock });
  undo.add('shells', shells.close);
  const seals = await openHomeSeals({ home, runDir, log, now: clock.now });
  const preferences = await openPreferences(home, config, seals);
  const debug = createDebugRing(clock, config.debug.enabled, createDebugFile(debugRawPath(home)));
  undo.add('debug file', debug.close);
  const processes = createCodexProcesses(shells);
  const stack = await compose({
    ...options,
    httpUrl: eventListener.value?.url ?? url,
    binary: binary.value,
    transport: config.codex.transport,
    processes,
    launcher,
    preferences,
    seals,
    debug,
    shells,
    origin,
    terminals: {
      launcher: hostLauncher,
      runDir,
      shell: config.terminal.shell,
      outputHeadBytes: config.terminal.output_head_bytes,
      outputTailBytes: config.terminal.output_tail_bytes,
      env,
    },
    clock,
  });
  const { link, hub, registry, lifecycle, terminals, eventStack } = stack;
  undo.add('conversations', registry.close);
  undo.add('checkpoints', stack.changes.close);
  undo.add('running commits and pushes', stack.ship.close);
  undo.add('questions about pull requests', stack.requests.close);
  undo.add('schedules', stack.schedules.close);
  undo.add('running commands', stack.running.close);
  undo.add('turns made elsewhere', stack.elsewhere.close);
  // After Codex is let go: its last words may deliver events, which the ledger is to note.
  undo.add('events', eventStack.events.close);
  // At once: each may take its full time.
  undo.add('codex and terminals', () => Promise.all([detachOrStopCodex(stack), terminals.stop()]));
  undo.add('file index', stack.files.close);
  undo.add('login watch', stack.loginWatch.close);
  undo.add('board', stack.board.close);
  undo.add('terminal context', stack.context.followTerminals(terminals));
  const notifyOptions = { ...options, command: config.notify.command, lifecycle, metaOf: registry.metaOf, env, clock };
  undo.add('notify', startNotify(notifyOptions));
  const mcpDoor = createMcpDoor({
    tokens,
    bound: boundRequest,
    open: async () => (await import('./compose/mcp.ts')).composeMcp(stack, options),
  });
  undo.add('mcp', mcpDoor.close);
  const page = await openPageSettings({ home, seals, onChange: (page) => hub.broadcast({ type: 'page', page }) });
  const apiToken = randomBytes(32).toString('hex');
  const serverScopes = config.access.server_token_scopes;
  const access = await composeAccess({ home, seals, serverToken: apiToken, serverScopes, clock, log });
  const presence = createPresence(clock);
  const onLoginsChange = () => hub.broadcast({ type: 'logins' });
  const sessionParts = { runDir, seals, clock, origin: url, tokens: access.tokens };
  const credentials = await openCredentials({ ...sessionParts, presence, onLoginsChange });
  const { status, debugState, metrics } = composeStatus({
    ...options,
    stack,
    codexCommand: binary.value.path,
    codexShellId: processes.shellId,
    startedAt,
    clock,
  });
  await stack.boot();
  await seals.finishAdoption();
  const { peers, conversationOf } = stack.peerStack;

  let composed: Promise<Rooms> | null = null;
  const openRooms = async (): Promise<Rooms> => {
    const { composeRooms } = await import('./compose/rooms.ts');
    const sessions = credentials;
    const own = { preferences, page, shells, debug, mcp, facts: { version }, status, debugState, sessions, access };
    return composeRooms({ ...stack, ...eventStack, ...own, clock, log });
  };
  const rooms = (): Promise<Rooms> => {
    composed ??= openRooms();
    return composed;
  };
  const { load } = serve({
    rooms,
    credentials,
    peers,
    conversationOf,
    resolveId: stack.registry.resolve,
    hub: presence.watch(stack.connectClients(async (caller, frame) => (await rooms()).rpc(caller, frame))),
    rawTap: debug,
    mcp: mcpDoor,
    metrics,
    clock,
    log,
  });
  eventListener.value?.serve({ credentials, peers, handlers: async () => (await rooms()).handlers });
  // Before the parts that answer requests are closed.
  undo.add('http', stop);
  undo.add('hub', hub.stop);
  undo.add('board waits', stack.board.endWaits);
  if (eventListener.value !== null) undo.add('event listener', eventListener.value.stop);

  const mintLogin = (maker?: LinkMaker) => `${url}/login?token=${credentials.mintLogin(maker)}`;
  const control = await startControl({
    path: controlSocketPath(home),
    mintLogin: (maker) => ({ url: mintLogin(maker), mustConfirm: presence.isOpen() }),
    confirm: access.confirmations.confirmAtTerminal,
    allowLogin: createTerminalLogins(access.password, credentials.waiting.allowAtTerminal),
    peerOf: peers.ofProcess,
    hasOwnTerminal: peers.hasOwnTerminal,
    log,
  });
  undo.add('control socket', control.stop);

  const record: ServerRecord = {
    pid: process.pid,
    start_time: startTimeOf(process.pid),
    url,
    api_token: apiToken,
    started_at: new Date(startedAt).toISOString(),
    version,
  };
  await writeFileAtomic(serverRecordPath(home), `${JSON.stringify(record)}\n`);
  undo.add('server record', () => rm(serverRecordPath(home), { force: true }));
  // The first step of a stop, not waited for: shells have up to their grace to end, while the other parts are closed.
  undo.add('shells that end with the server', () => void shells.endWithServer());

  // Codex comes up beside us. Then what answers is loaded, unless a request has asked for it before.
  const started = link.start();
  void started.then(load);
  // Codex deletes the threads of what is in the trash, so not before it is up.
  started
    .then(stack.actions.emptyTrash)
    .catch((error: unknown) => log.error({ error }, 'the trash could not be emptied'));
  startBeside(stack, shells, log);
  startAdapters({ lazy: shells, home, grants: eventStack.adapters, log }).catch((error: unknown) =>
    log.error({ error }, 'queue adapters cannot be started'),
  );
  return ok({ url, mintLogin });
}

/** What nobody waits for. */
function startBeside({ link, board, hub, eventStack }: Composition, shells: LazyShells, log: Logger): void {
  void ownCodex(shells, link);
  board
    .subscribe(() => hub.broadcast({ type: 'board_news' }))
    .catch((error: unknown) => log.error({ error }, 'the board cannot be read'));
  eventStack.start().catch((error: unknown) => log.error({ error }, 'threads cannot be reached by events'));
}

/** Where any port will do, the one of last time does best: a Codex that outlives us goes on calling it. */
async function listenAgain({ server }: Config, last: number | null): Promise<Result<Listening>> {
  const listen = (port: number) => startListening({ host: server.host, port, webRoot: WEB_ROOT, clock });
  const again = server.port === 0 && last !== null ? await listen(last) : null;
  return again?.ok === true ? again : listen(server.port);
}

/** A turn that runs is left to finish and found again at the next start; an idle Codex is ended. */
async function detachOrStopCodex({ link, registry }: Composition): Promise<void> {
  const isBusy = registry.loaded().some((conversation) => conversation.session.state().turn !== null);
  await (isBusy ? link.detach() : link.stop());
}

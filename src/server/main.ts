/** The composition root: one server per home. Listens, builds each part after those it uses, serves, and closes everything again. */
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
import { openSeals } from '../node/seals.ts';
import { claimHome } from './claim-home.ts';
import { findCodex } from './codex/binary.ts';
import { composeAccess } from './compose/access.ts';
import { createCodexProcesses, ownCodex } from './compose/codex-shells.ts';
import { type Composition, compose } from './compose/compose.ts';
import { createLauncher } from './compose/launch-plan.ts';
import { composePeers } from './compose/peers.ts';
import { composeShells } from './compose/shells.ts';
import { composeStatus } from './compose/status.ts';
import { openPreferences } from './config/preferences.ts';
import { startControl } from './control.ts';
import { createDebugRing } from './debug-ring.ts';
import { openCredentials } from './http/credentials.ts';
import { boundRequest } from './http/json-body.ts';
import { type Listening, startListening } from './http/listen.ts';
import { createMcpDoor } from './mcp/mcp-door.ts';
import { openMcpTokens } from './mcp/tokens.ts';
import { startNotify } from './notify/notify.ts';
import type { LazyShells } from './shells/lazy-shells.ts';

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
  const { config, home, version, log } = options;
  const { env } = process;
  const startedAt = clock.now();
  const binary = await findCodex(config.codex.command);
  if (!binary.ok) return binary;
  const tokens = await openMcpTokens(runDir);
  // First of all, since much of the rest names the address. Requests wait until `serve`.
  const listening = await listenAgain(config, tokens.lastPort);
  if (!listening.ok) return listening;
  const { url, port, serve, stop } = listening.value;
  undo.push(stop);
  await tokens.notePort(port);
  const mcp = { tokens, url: `${url}/mcp` };
  const codexDoor = { url: mcp.url, token: tokens.mint({ kind: 'codex' }) };
  const launcher = await createLauncher({ ...options, binary: binary.value.path, runDir, env, mcp: codexDoor });
  undo.push(launcher.close);
  const mayCreateSecret = config.shells.create_secret;
  const { shells, hostLauncher } = composeShells({ ...options, runDir, env, mayCreateSecret, clock });
  undo.push(shells.close);
  const seals = await openSeals(runDir, (name) =>
    log.warn({ name }, 'a file was changed by somebody else and is not used: sessions and tokens in it have ended'),
  );
  const preferences = await openPreferences(home, config, seals);
  const debug = createDebugRing(clock, config.debug.enabled);
  const stack = await compose({
    ...options,
    httpUrl: url,
    binary: binary.value,
    transport: config.codex.transport,
    processes: createCodexProcesses(shells),
    launcher,
    preferences,
    seals,
    debug,
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
  undo.push(
    registry.close,
    terminals.stop,
    () => letGoOfCodex(stack),
    eventStack.events.close,
    stack.files.close,
    stack.loginWatch.close,
    stack.board.close,
    stack.context.followTerminals(terminals),
    startNotify({ ...options, command: config.notify.command, lifecycle, metaOf: registry.metaOf, env, clock }),
  );
  const mcpDoor = createMcpDoor({
    tokens,
    bound: boundRequest,
    open: async () => (await import('./compose/mcp.ts')).composeMcp(stack, options),
  });
  undo.push(mcpDoor.close);
  const apiToken = randomBytes(32).toString('hex');
  const serverScopes = config.access.server_token_scopes;
  const access = await composeAccess({ home, seals, serverToken: apiToken, serverScopes, clock, log });
  const credentials = await openCredentials({ runDir, seals, clock, origin: url, tokens: access.tokens });
  const { status, debugState, metrics } = composeStatus({ ...options, stack, startedAt, clock });
  await stack.boot();
  const { peers, conversationOf } = await composePeers({ ...stack, shells, runDir });

  const rooms = async () => {
    const { composeRooms } = await import('./compose/rooms.ts');
    const sessions = credentials;
    const own = { preferences, shells, debug, mcp, facts: { version }, status, debugState, sessions, access };
    return composeRooms({ ...stack, ...eventStack, ...own, clock, log });
  };
  const { load } = serve({
    rooms,
    credentials,
    peers,
    conversationOf,
    hub: stack.gateway,
    rawTap: debug,
    mcp: mcpDoor,
    metrics,
    clock,
    log,
  });
  // Before the parts that answer requests are closed.
  undo.push(stop, hub.stop, stack.board.endWaits);

  const mintLogin = () => `${url}/login?token=${credentials.mintLogin()}`;
  const control = await startControl({
    path: controlSocketPath(home),
    mintLogin,
    confirm: access.confirmations.confirmAtTerminal,
    peerOf: peers.ofProcess,
    log,
  });
  undo.push(control.stop);

  const record: ServerRecord = {
    pid: process.pid,
    start_time: startTimeOf(process.pid),
    url,
    api_token: apiToken,
    started_at: new Date(startedAt).toISOString(),
    version,
  };
  await writeFileAtomic(serverRecordPath(home), `${JSON.stringify(record)}\n`);
  undo.push(() => rm(serverRecordPath(home), { force: true }));

  // Codex comes up beside us. Then what answers is loaded, unless a request has asked for it before.
  void link.start().then(load);
  startBeside(stack, shells, log);
  return ok({ url, mintLogin });
}

/** What nobody waits for. */
function startBeside({ link, actions, board, hub, eventStack }: Composition, shells: LazyShells, log: Logger): void {
  void ownCodex(shells, link);
  void actions.emptyTrash();
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
async function letGoOfCodex({ link, registry }: Composition): Promise<void> {
  const isBusy = registry.loaded().some((conversation) => conversation.session.state().turn !== null);
  await (isBusy ? link.detach() : link.stop());
}

/** `open`, `status`, `stop`: about the server that runs. */
import { join } from 'node:path';
import { errorCode } from '../node/atomic-file.ts';
import { systemClock as clock } from '../node/clock.ts';
import { isSameProcess } from '../node/process-identity.ts';
import { connect } from './client.ts';
import { findServer } from './find-server.ts';
import { askForLogin } from './login-link.ts';
import { browserOpener, openInBrowser } from './open-browser.ts';
import { type Output, styled } from './output.ts';

/** A server that works stops within 5 s, whatever its children do. */
const STOP_WAIT_MS = 6_000;
const STOP_POLL_MS = 50;

export interface OpenRequest {
  readonly home: string;
  /** False after `--no-open`: the link is printed and no more. */
  readonly isWanted: boolean;
  readonly isTTY: boolean;
  readonly env: NodeJS.ProcessEnv;
}

export async function openLink(out: Output, request: OpenRequest): Promise<number> {
  const { home } = request;
  const server = findServer(home);
  if (!server.ok) return out.fail(server.error);
  const link = await askForLogin(home);
  if (!link.ok) return out.fail(link.error);
  const { url, mustConfirm } = link.value;
  if (out.isJson) await out.json({ login_url: url, must_confirm: mustConfirm });
  else {
    await out.print(url);
    const opener = browserOpener({ ...request, isJson: out.isJson });
    // The printed link stays good, should the browser not come up.
    const second = opener === null ? null : await askForLogin(home);
    if (opener !== null && second?.ok === true) await openInBrowser(opener, second.value.url, join(home, 'run'));
    out.say(
      styled('dim', opener === null ? 'The link works once.' : 'Opening your browser; the link above works once.'),
    );
    if (mustConfirm)
      out.say('A browser is open already: another one has to be allowed there. Both show the same code.');
  }
  return 0;
}

export async function showStatus(out: Output, home: string): Promise<number> {
  const client = connect(home);
  if (!client.ok) return out.fail(client.error);
  const answer = await client.value.call('status', {});
  if (!answer.ok) return out.fail(answer.error);
  const status = answer.value;
  const { server } = client.value;
  if (out.isJson) {
    await out.json({ ...status, url: server.url, started_at: server.started_at });
    return 0;
  }
  const { codex } = status;
  const rows: [string, string][] = [
    ['server', `${server.url}  (version ${status.version}, pid ${status.pid}, up ${duration(status.uptime_ms)})`],
    ['home', status.home],
    ['codex', `${codex.state}, version ${codex.version ?? 'unknown'}, over ${codex.transport}`],
    ...(codex.message === null ? [] : [['', codex.message] satisfies [string, string]]),
    ...status.codex_warnings.map((text): [string, string] => ['', `Codex warns: ${text.replace(/\s+/g, ' ')}`]),
    ['model', codex.demo ? 'the built-in demo model, which is not an AI' : 'as Codex is set up'],
    ['CODEX_HOME', status.codex_home],
    ['storage', status.storage],
    ['pages', `${status.clients} connected`],
    ['conversations', `${status.conversations_loaded} loaded`],
    ['approvals', status.pending_approvals === 0 ? 'none waiting' : `${status.pending_approvals} waiting for you`],
  ];
  for (const [name, value] of rows) await out.print(styled('bold', name.padEnd(15)), value);
  return 0;
}

export async function stopServer(out: Output, home: string): Promise<number> {
  const server = findServer(home);
  if (!server.ok) return out.fail(server.error);
  const { pid, start_time } = server.value;
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if (errorCode(error) === 'EPERM')
      return out.fail({ code: 'forbidden', message: `process ${pid} belongs to somebody else` });
  }
  const deadlineMs = clock.monotonicMs() + STOP_WAIT_MS;
  while (isSameProcess({ pid, start_time })) {
    if (clock.monotonicMs() > deadlineMs)
      return out.fail({
        code: 'conflict',
        message:
          `The server (process ${pid}) did not stop within ${STOP_WAIT_MS / 1000} s: it may be stopped itself, or its disk may hang. ` +
          `End it with \`kill -KILL ${pid}\`. Nothing that was acknowledged is lost, and the next start finds running turns and terminals again.`,
      });
    await clock.sleep(STOP_POLL_MS);
  }
  if (out.isJson) await out.json({ stopped: true, pid });
  else out.say(`stopped (pid ${pid})`);
  return 0;
}

function duration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return `${Math.floor(ms / 1000)} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

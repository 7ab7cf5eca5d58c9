/**
 * Talks to the control socket of the running server: asks for a login link, confirms as a person what a token asked for, lets a new browser
 * in. The other half of `server/control.ts`.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { fail, ok, type Result } from '../contract/result.ts';
import { isRecord } from '../core/text/is-record.ts';
import { parseJson } from '../core/text/parse-json.ts';
import { errorCode } from '../node/atomic-file.ts';
import { controlSocketPath } from '../node/places.ts';
import { fitSocketPath } from '../node/socket-path.ts';

const TIMEOUT_MS = 10_000;

export interface LoginLink {
  readonly url: string;
  /** A browser is open: the login has to be allowed there. */
  readonly mustConfirm: boolean;
}

export async function askForLogin(home: string): Promise<Result<LoginLink>> {
  const answer = await ask(home, { ask: 'login' });
  if (!answer.ok) return answer;
  const { login_url: url, must_confirm } = answer.value;
  return typeof url === 'string' ? ok({ url, mustConfirm: must_confirm === true }) : refused(answer.value);
}

/** Ok once the server has found that this process is a person's. */
export async function confirmAtTerminal(home: string, id: string): Promise<Result<null>> {
  const answer = await ask(home, { ask: 'confirm', id });
  if (!answer.ok) return answer;
  return typeof answer.value.confirmed === 'string' ? ok(null) : refused(answer.value);
}

export type AllowedLogin = { readonly opensInMs: number } | { readonly needsPassword: string };

/** Lets the new browser with this code in. */
export async function allowLogin(home: string, code: string, password: string | null): Promise<Result<AllowedLogin>> {
  const answer = await ask(home, { ask: 'allow_login', code, ...(password !== null && { password }) });
  if (!answer.ok) return answer;
  const { opens_in_ms: opensInMs, needs_password: needsPassword } = answer.value;
  if (typeof opensInMs === 'number') return ok({ opensInMs });
  return typeof needsPassword === 'string' ? ok({ needsPassword }) : refused(answer.value);
}

type Answer = Readonly<Record<string, unknown>>;

const refused = ({ error }: Answer): Result<never> => fail('forbidden', `refused: ${String(error)}`);

/** For the length of the talk this process bears the name the server chose, which shows that it is the one that asks. */
async function ask(home: string, request: object): Promise<Result<Answer>> {
  const path = await fitSocketPath(controlSocketPath(home));
  const name = ownName();
  try {
    return await talk(path, request);
  } finally {
    takeName(name);
  }
}

function talk(path: string, request: object): Promise<Result<Answer>> {
  return new Promise((resolve) => {
    const socket = connect(path);
    let text = '';
    const settle = (result: Result<Answer>): void => {
      socket.destroy();
      resolve(result);
    };
    const receive = (line: string): void => {
      const message = parseJson(line);
      if (!isRecord(message)) settle(fail('internal', 'the server said something that is not JSON'));
      else if (typeof message.prove !== 'string') settle(ok(message));
      else {
        takeName(message.prove.slice(0, 15));
        socket.write(`${JSON.stringify({ pid: process.pid })}\n`);
      }
    };
    socket.setEncoding('utf8');
    socket.setTimeout(TIMEOUT_MS, () => settle(fail('internal', 'the server did not answer on its control socket')));
    socket.on('connect', () => socket.write(`${JSON.stringify(request)}\n`));
    socket.on('data', (chunk: string) => {
      text += chunk;
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n')) {
        const line = text.slice(0, at);
        text = text.slice(at + 1);
        receive(line);
      }
    });
    socket.on('error', (error) =>
      settle(fail('not_running', `the control socket does not answer: ${errorCode(error)}`)),
    );
    socket.on('close', () => settle(fail('internal', 'the server closed the connection')));
  });
}

const COMM = '/proc/self/comm';

function ownName(): string {
  return process.platform === 'linux' ? readFileSync(COMM, 'utf8').trim() : process.title;
}

function takeName(name: string): void {
  if (process.platform === 'linux') writeFileSync(COMM, name);
  else process.title = name;
}

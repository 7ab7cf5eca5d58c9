/** Asks the running server for a fresh login link, or confirms as a person what a token asked for, over its control socket. The other half of `server/control.ts`. */

import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { fail, ok, type Result } from '../contract/result.ts';
import { isRecord } from '../core/text/is-record.ts';
import { parseJson } from '../core/text/parse-json.ts';
import { errorCode } from '../node/atomic-file.ts';
import { controlSocketPath } from '../node/places.ts';
import { fitSocketPath } from '../node/socket-path.ts';

const TIMEOUT_MS = 10_000;

/** For the length of the talk this process bears the name the server chose, which shows that it is the one that asks. */
export const askForLogin = (home: string): Promise<Result<string>> => ask(home, { ask: 'login' });

/** Ok with the id once the server has found that this process is a person's. */
export const confirmAtTerminal = (home: string, id: string): Promise<Result<string>> =>
  ask(home, { ask: 'confirm', id });

async function ask(home: string, request: object): Promise<Result<string>> {
  const path = await fitSocketPath(controlSocketPath(home));
  const name = ownName();
  try {
    return await talk(path, request);
  } finally {
    takeName(name);
  }
}

function talk(path: string, request: object): Promise<Result<string>> {
  return new Promise((resolve) => {
    const socket = connect(path);
    let text = '';
    const settle = (result: Result<string>): void => {
      socket.destroy();
      resolve(result);
    };
    const receive = (line: string): void => {
      const message = parseJson(line);
      if (!isRecord(message)) settle(fail('internal', 'the server said something that is not JSON'));
      else if (typeof message.login_url === 'string') settle(ok(message.login_url));
      else if (typeof message.confirmed === 'string') settle(ok(message.confirmed));
      else if (typeof message.prove !== 'string') settle(fail('forbidden', `refused: ${String(message.error)}`));
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

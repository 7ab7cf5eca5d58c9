/** A sign-in service on this machine, for the real Codex: gives a code, and lets it wait, succeed or fail. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoginIssuer {
  readonly url: string;
  /** What Codex hears when it asks whether the code was typed in. */
  answer(as: 'wait' | 'yes' | 'no'): void;
  close(): Promise<void>;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const CLAIMS = {
  email: 'ada@example.org',
  exp: 4_102_444_800,
  'https://api.openai.com/auth': { chatgpt_plan_type: 'pro', chatgpt_user_id: 'user', chatgpt_account_id: 'account' },
};
const TOKEN = `${encode({ alg: 'none' })}.${encode(CLAIMS)}.signature`;

export async function startLoginIssuer(): Promise<LoginIssuer> {
  let state: 'wait' | 'yes' | 'no' = 'wait';
  const answers: Readonly<Record<string, () => readonly [number, object]>> = {
    '/api/accounts/deviceauth/usercode': () => [
      200,
      { device_auth_id: 'device', user_code: 'ABCD-12345', interval: '1' },
    ],
    '/api/accounts/deviceauth/token': () => {
      if (state === 'wait') return [403, {}];
      if (state === 'no') return [500, { error: 'no' }];
      return [200, { authorization_code: 'code', code_challenge: 'challenge', code_verifier: 'verifier' }];
    },
    '/oauth/token': () => [200, { id_token: TOKEN, access_token: TOKEN, refresh_token: 'refresh' }],
  };
  const server = createServer((request, response) => {
    request.resume();
    const [status, body] = answers[request.url ?? '']?.() ?? [404, {}];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    answer: (as) => {
      state = as;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

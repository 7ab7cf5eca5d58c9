/** Which Codex is driven over a socket and which over a pipe. */
import { expect, test } from 'vitest';
import { canListen } from './binary.ts';

const OPTION = '      --listen <URL>\n          Transport endpoint URL. Supported values: `stdio://` (default), ';

test('[CM20] a Codex listens on a socket only if its help names `unix://` and `--stdio`', () => {
  expect(canListen('Usage: codex app-server [OPTIONS]')).toBe(false);
  expect(canListen(`${OPTION}\`ws://IP:PORT\``)).toBe(false);
  expect(canListen(`${OPTION}\`unix://\`, \`unix://PATH\``)).toBe(false);
  expect(canListen(`${OPTION}\`unix://\`, \`unix://PATH\`\n      --stdio\n          Use stdio as the transport`)).toBe(
    true,
  );
});

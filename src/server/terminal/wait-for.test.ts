/** What a wait looks at, with a link that hands over bytes as a test says. */
import { expect, test } from 'vitest';
import type { ConversationId } from '../../contract/ids.ts';
import { systemClock } from '../../node/clock.ts';
import type { PtyHostLink } from './pty-host-link.ts';
import { waitFor } from './wait-for.ts';

const ID = 'conv' as ConversationId;

/** A terminal at its prompt that prints `chunks` to whoever attaches. */
function linkThatPrints(...chunks: readonly string[]): PtyHostLink {
  let viewer: { write(offset: number, bytes: Buffer): void } | null = null;
  const link: Partial<PtyHostLink> = {
    client: () => ({ send: () => undefined }) as unknown as ReturnType<PtyHostLink['client']>,
    running: () => ({ cursor: 0, at_prompt: false }) as unknown as ReturnType<PtyHostLink['running']>,
    addViewer(added) {
      viewer = added;
      return 1;
    },
    removeViewer: () => undefined,
    listen: () => () => undefined,
    async attachViewer() {
      let offset = 0;
      for (const chunk of chunks) {
        viewer?.write(offset, Buffer.from(chunk));
        offset += chunk.length;
      }
      return { ok: true, value: null } as never;
    },
  };
  return link as PtyHostLink;
}

const ECHO = "$ printf 'Name? '; read x\r\n";
const wait = (timeoutMs: number, ...chunks: readonly string[]) =>
  waitFor(linkThatPrints(...chunks), systemClock, ID, { pattern: 'Name?', from: 0, skipLines: 1, timeoutMs });

test('[MC13] behind the echo of a command, a question is found that arrives with the echo in one piece', async () => {
  expect(await wait(5_000, `${ECHO}Name? `)).toMatchObject({ value: { matched: true } });
  expect(await wait(5_000, ECHO.slice(0, 9), ECHO.slice(9), 'Name? ')).toMatchObject({ value: { matched: true } });
});

test('[MC13] the echo of a command is not taken for the question', async () => {
  expect(await wait(1, ECHO)).toMatchObject({ value: { matched: false } });
});

/** The product with each Codex of the table in `scripts/test-compat.mjs`, as it comes: the configured transport, one turn, a restart. */
import { expect, test } from 'vitest';
import { openBox } from '../../src/testing/box.ts';

const VERSIONS: Readonly<Record<string, string>> = JSON.parse(process.env.CODEX_COMPAT_VERSIONS ?? '{}');
/** The first of the table that speaks WebSocket on a Unix socket. */
const FIRST_WITH_SOCKET = '0.140.0';
/** A start of an old Codex with an empty home, on a busy machine. */
const LIMIT_MS = 90_000;

const isOlder = (version: string, than: string): boolean =>
  version.localeCompare(than, undefined, { numeric: true }) < 0;

test.each(Object.entries(VERSIONS))(
  '[CM21] Codex %s answers a message, also after a restart of the server',
  {
    timeout: LIMIT_MS,
  },
  async (version, codexBin) => {
    const box = await openBox({ codexBin, transport: 'unix' });
    try {
      const { codex } = await box.must('initialize', {});
      const transport = isOlder(version, FIRST_WITH_SOCKET) ? 'stdio' : 'unix';
      expect(codex).toMatchObject({ state: 'ready', version, transport });
      const id = await box.create({ approval: 'never' });
      for (const words of ['first answer', 'second answer']) {
        box.model.push({ events: [{ say: words }] });
        const watcher = await box.watch(id);
        await box.must('sendMessage', { conversation_id: id, text: `say ${words}` });
        await watcher.until((frame) => frame.type === 'status' && 'seq' in frame, 'the end of the turn');
        const answers = (await box.entries(id)).filter((entry) => entry.role === 'assistant');
        expect(answers.at(-1)).toMatchObject({ text: words });
        await box.restart();
        await box.must('initialize', {});
      }
      const users = (await box.entries(id)).filter((entry) => entry.role === 'user');
      expect(users).toHaveLength(2);
    } finally {
      await box.close();
    }
  },
);

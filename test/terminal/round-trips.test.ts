/** How many frames go between the server and a real pty host: state that the host pushed is not asked for again, and keys get no answer. */
import { afterEach, expect, test } from 'vitest';
import { endedCommandOf } from '../../src/server/context/terminal-feed.ts';
import type { BlockEvent } from '../../src/server/terminal/terminals.ts';
import { ID, openTerminals, type TapOptions, type TerminalsStand } from '../../src/testing/host-tap.ts';

let stand: TerminalsStand;
afterEach(() => stand.close());

/** A terminal at its prompt that prints nothing any more: the shell has answered to what was typed. */
async function openAtPrompt(options: TapOptions = {}): Promise<void> {
  stand = await openTerminals(options);
  expect(await stand.terminals.open(ID)).toMatchObject({ ok: true });
  expect(await stand.terminals.waitFor(ID, { prompt: true, timeoutMs: 20_000 })).toMatchObject({ ok: true });
  await expect.poll(async () => (await stateNow()).at_prompt).toBe(true);
}

async function stateNow() {
  const state = await stand.terminals.state(ID);
  return state.ok ? state.value : expect.fail(state.error.message);
}

/** Nothing was printed between two looks at the host's own word. */
const settled = () =>
  expect
    .poll(async () => {
      const before = await stand.terminals.screen(ID);
      return before.ok && before.value.cursor === (await stateNow()).cursor && before.value.cursor > 0;
    })
    .toBe(true);

test('[TM22] a viewer that joins costs one request, and a command in front of viewers none', async () => {
  await openAtPrompt();
  const first = await stand.attach();
  stand.forget();
  const second = await stand.attach();
  expect(stand.requests()).toEqual(['attach']);
  await stand.until('a screen', () => second.frames.some(({ type }) => type === 'screen'));
  expect(second.frames[0]).toMatchObject({ type: 'state', state: { is_running: true, shell: 'bash' } });

  stand.forget();
  first.input('echo se""en\r');
  const isAtPromptAgain = ({ frames }: typeof first) => {
    const last = frames.findLast((frame) => frame.type === 'state');
    return last?.type === 'state' && last.state.at_prompt && last.state.last_block_seq === 1;
  };
  await stand.until('the next prompt', () => isAtPromptAgain(first) && isAtPromptAgain(second));
  expect(stand.requests()).toEqual([]);
});

test('[TM22] the state of a terminal is asked for once after it printed, and exact', async () => {
  await openAtPrompt();
  await settled();
  stand.forget();
  const before = await stateNow();
  expect(await stateNow()).toEqual(before);
  expect(stand.requests()).toEqual([]);

  const ran = await stand.terminals.exec(ID, { command: 'cd /; (exit 3)', actor: 'user', timeoutMs: 20_000 });
  expect(ran).toMatchObject({ ok: true, value: { block: { exit_code: 3 } } });
  expect(stand.requests()).toEqual(['open', 'exec']);
  await settled();
  const screen = await stand.terminals.screen(ID);
  stand.forget();
  const after = await stateNow();
  expect(after).toMatchObject({ cwd: '/', last_exit_code: 3, at_prompt: true, last_block_seq: 1 });
  expect(after.cursor).toBe(screen.ok && screen.value.cursor);
  expect(stand.requests()).toEqual([]);
});

test('[TM22] waiting for a text costs one request', async () => {
  await openAtPrompt();
  stand.forget();
  const waited = stand.terminals.waitFor(ID, { pattern: 'so""on', timeoutMs: 20_000 });
  await stand.until('the wait', () => stand.requests().length > 0);
  await stand.terminals.send(ID, { data: 'echo so""on', actor: 'user' });
  expect(await waited).toMatchObject({ ok: true, value: { matched: true } });
  expect(stand.requests()).toEqual(['attach', 'input']);
});

test('[TM23] a block that ends names its shell, and what the context keeps of it needs no request', async () => {
  await openAtPrompt();
  const { shell_id: shellId } = await stateNow();
  const ended = new Promise<BlockEvent>((done) => {
    stand.terminals.onBlock((event) => {
      if (event.kind === 'end') done(event);
    });
  });
  const viewer = await stand.attach();
  stand.forget();
  viewer.input('echo kept\r');
  const event = await ended;
  expect(event).toMatchObject({ shellId, block: { cmd: 'echo kept' } });
  expect(await endedCommandOf(stand.terminals, { ...event, terminal: event.conversationId }, 1)).toMatchObject({
    shellId,
    cmd: 'echo kept',
    output: 'kept\n',
  });
  expect(stand.requests()).toEqual([]);
});

test('[TM24] keys and acknowledgements get no answer', async () => {
  await openAtPrompt();
  const viewer = await stand.attach();
  await stand.until('a screen', () => viewer.frames.some(({ type }) => type === 'screen'));
  await settled();
  stand.forget();
  const told = viewer.frames.length;
  const keys = 'abcdefghijklmnopqrst';
  for (const key of keys) {
    const seen = viewer.text().length;
    viewer.input(key);
    await stand.until(`the echo of ${key}`, () => viewer.text().length > seen);
  }
  expect(viewer.text()).toContain(keys);
  expect(stand.answers()).toEqual([]);
  expect(stand.requests()).toEqual([]);
  // The state of the last prompt no longer holds: said once.
  expect(stand.events('outdated').length).toBe(1);
  expect(viewer.frames.length).toBe(told);
});

test('[TM24] [TM26] input that a program does not read is refused by one event, and the host goes on', async () => {
  await openAtPrompt();
  const viewer = await stand.attach();
  viewer.input('stty raw -echo; echo re""ady; sleep 1000\r');
  await stand.until('the program', () => viewer.text().includes('ready'));
  stand.forget();
  const paste = 'x'.repeat(1024 * 1024);
  for (let round = 0; round < 20; round += 1) viewer.input(paste);
  await stand.until('the refusal', () => viewer.frames.some(({ type }) => type === 'refused'));
  const answered = await stand.terminals.send(ID, { data: 'x', actor: 'user' });
  expect(answered).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
  expect(viewer.frames.filter(({ type }) => type === 'refused')).toEqual([
    { type: 'refused', code: 'rate_limited', message: expect.stringContaining('does not read') },
  ]);
  expect(stand.events('input_refused').length).toBe(1);
  expect(await stand.terminals.screen(ID)).toMatchObject({ ok: true });
  expect(await stand.terminals.close(ID)).toMatchObject({ ok: true });
  await stand.until('the end', viewer.isOver);
});

/** What a host sends that does not know the additions: no revision, no `outdated`, no first frame for a viewer. */
const beforeRevisions: TapOptions['rewrite'] = (message) => {
  if (message.type === 'outdated' || message.type === 'input_refused') return null;
  if (message.type === 'view' && JSON.stringify(message.frame).startsWith('{"type":"state"')) return null;
  if (message.type !== 'answer' || typeof message.value !== 'object' || message.value === null) return message;
  const { revision: _revision, ...value } = { revision: 0, ...message.value };
  return Array.isArray(message.value) ? message : { ...message, value };
};

test('[TM25] a pty host of an older build serves viewers, state and keys as before', async () => {
  const host = process.env.SIGNALBOX_OLD_PTY_HOST;
  await openAtPrompt(host === undefined ? { rewrite: beforeRevisions } : { host });
  const viewer = await stand.attach();
  await stand.until('a screen', () => viewer.frames.some(({ type }) => type === 'screen'));
  expect(viewer.frames.map(({ type }) => type).slice(0, 2)).toEqual(['state', 'screen']);
  viewer.input('echo se""en\r');
  await stand.until('the output', () => viewer.text().includes('seen\r\n'));
  await settled();
  await stand.terminals.send(ID, { data: 'x', actor: 'user' });
  await stand.until('the echo', () => viewer.text().endsWith('x'));
  expect((await stateNow()).cursor).toBeGreaterThan(0);
  await settled();
  const again = await stand.attach((await stateNow()).cursor);
  await stand.until('the resumption', () => again.frames.some(({ type }) => type === 'resume'));
  expect(again.frames.map(({ type }) => type).slice(0, 2)).toEqual(['state', 'resume']);
});

/** The tools of the shared terminal and its blocks. What was printed is given as data, never as words of ours. */
import type { ConversationId } from '../../contract/ids.ts';
import type { PtyToolName } from '../../contract/mcp.ts';
import { MAX_TOOL_TEXT_BYTES } from '../../contract/mcp-bounds.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { OutputPage } from '../../contract/routes-terminal.ts';
import type { Block, PtySize, ScreenSnapshot, ScrollbackSnapshot, TerminalState } from '../../contract/terminal.ts';
import { cutMiddleBytes } from '../../core/text/bytes.ts';
import { cleanForModel, jsonForModel } from '../../core/text/hidden.ts';
import type { ToolAnswer, ToolCall, ToolGroup } from './tool.ts';

interface Waited {
  readonly matched: boolean;
  readonly text: string;
  readonly cursor: number;
}

/** What these tools need of the terminals. */
export interface TerminalPort {
  open(id: ConversationId): Promise<Result<TerminalState>>;
  state(id: ConversationId): Promise<Result<TerminalState>>;
  screen(id: ConversationId): Promise<Result<ScreenSnapshot>>;
  scrollback(
    id: ConversationId,
    query: { readonly lines: number; readonly maxBytes: number },
  ): Promise<Result<ScrollbackSnapshot>>;
  blocks(
    id: ConversationId,
    query: {
      readonly after?: number | undefined;
      readonly before?: number | undefined;
      readonly limit: number;
      readonly query?: string | undefined;
    },
  ): Promise<Result<{ blocks: Block[]; last_seq: number }>>;
  block(id: ConversationId, blockId: string): Promise<Result<Block>>;
  output(
    id: ConversationId,
    blockId: string,
    query: { readonly offset: number; readonly maxBytes: number },
  ): Promise<Result<OutputPage>>;
  exec(
    id: ConversationId,
    request: { readonly command: string; readonly actor: 'agent'; readonly timeoutMs: number },
  ): Promise<Result<{ readonly block: Block; readonly text: string; readonly truncated: boolean }>>;
  typeCommand(
    id: ConversationId,
    request: { readonly command: string; readonly actor: 'agent' },
  ): Promise<Result<{ readonly cursor: number }>>;
  send(id: ConversationId, input: { readonly data: string; readonly actor: 'agent' }): Promise<Result<null>>;
  waitFor(
    id: ConversationId,
    request: {
      readonly pattern?: string | undefined;
      readonly prompt?: boolean | undefined;
      readonly from?: number | undefined;
      readonly skipLines?: number | undefined;
      readonly timeoutMs: number;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<Result<Waited>>;
  interrupt(id: ConversationId): Promise<Result<null>>;
  resize(id: ConversationId, size: PtySize): Promise<Result<null>>;
  close(id: ConversationId): Promise<Result<null>>;
}

const ENTER = '\r';
/** Anything visible: what an interactive program shows first. */
const SOMETHING = '/\\S/';

export function terminalTools(terminals: TerminalPort): ToolGroup<PtyToolName> {
  const send = async (id: ConversationId, data: string, enter: boolean): Promise<Result<ToolAnswer>> => {
    const sent = await terminals.send(id, { data: enter ? `${data}${ENTER}` : data, actor: 'agent' });
    return sent.ok ? afterwards(id, {}) : sent;
  };
  const afterwards = async (id: ConversationId, facts: Record<string, unknown>): Promise<Result<ToolAnswer>> => {
    const state = await terminals.state(id);
    return state.ok ? ok({ facts: { ...facts, cursor: state.value.cursor, at_prompt: state.value.at_prompt } }) : state;
  };
  const waited = (answer: Result<Waited>): Result<ToolAnswer> => {
    if (!answer.ok) return answer;
    const { matched, cursor, text } = answer.value;
    return ok(printed({ matched, cursor }, text, MAX_TOOL_TEXT_BYTES));
  };
  return {
    pty_status: inTerminal(async (id) => {
      const state = await terminals.state(id);
      return state.ok ? ok({ facts: state.value }) : state;
    }),
    pty_read_screen: inTerminal(async (id, { max_bytes }) => {
      const screen = await terminals.screen(id);
      if (!screen.ok) return screen;
      const { rows, title, ...facts } = screen.value;
      return ok(
        printed(facts, [title === '' ? '' : `[title] ${title}\n`, rows.join('\n').trimEnd()].join(''), max_bytes),
      );
    }),
    pty_read_scrollback: inTerminal(async (id, { lines, max_bytes }) => {
      const page = await terminals.scrollback(id, { lines, maxBytes: max_bytes });
      if (!page.ok) return page;
      const { lines: read, ...facts } = page.value;
      return ok(printed({ ...facts, lines: read.length }, read.join('\n').trimEnd(), max_bytes));
    }),
    blocks_since: inTerminal(async (id, { after, limit }) => {
      const page = await terminals.blocks(id, { after, limit });
      return page.ok ? ok(listed(page.value)) : page;
    }),
    blocks_search: inTerminal(async (id, { query, before, limit }) => {
      const page = await terminals.blocks(id, { before, limit, query });
      return page.ok ? ok(listed(page.value)) : page;
    }),
    blocks_get: inTerminal(async (id, { block_id }) => {
      const block = await terminals.block(id, block_id);
      return block.ok ? ok(ofBlock(block.value, '', MAX_TOOL_TEXT_BYTES)) : block;
    }),
    blocks_read: inTerminal(async (id, { block_id, offset, max_bytes }) => {
      const page = await terminals.output(id, block_id, { offset, maxBytes: max_bytes });
      if (!page.ok) return page;
      const { text, ...facts } = page.value;
      return ok(printed(facts, text, max_bytes));
    }),
    pty_exec: inTerminal(async (id, { command, timeout_ms, max_bytes }) => {
      const ran = await terminals.exec(id, { command, actor: 'agent', timeoutMs: timeout_ms });
      if (!ran.ok) return ran;
      return ok(ofBlock(ran.value.block, ran.value.text, max_bytes, ran.value.truncated));
    }),
    pty_exec_interactive: inTerminal(async (id, { command, wait_for, timeout_ms }, { signal }) => {
      const typed = await terminals.typeCommand(id, { command, actor: 'agent' });
      if (!typed.ok) return typed;
      // The echo of the command is not what the program says: look behind it.
      const skipLines = command.split('\n').length;
      const place = { from: typed.value.cursor, skipLines };
      return waited(
        await terminals.waitFor(id, { pattern: wait_for ?? SOMETHING, ...place, timeoutMs: timeout_ms, signal }),
      );
    }),
    pty_send: inTerminal((id, { data, enter }) => send(id, data, enter)),
    pty_wait_for: inTerminal(async (id, { pattern, from, timeout_ms: timeoutMs }, { signal }) =>
      waited(await terminals.waitFor(id, { pattern, from, timeoutMs, signal })),
    ),
    pty_wait_prompt: inTerminal(async (id, { timeout_ms: timeoutMs }, { signal }) =>
      waited(await terminals.waitFor(id, { prompt: true, timeoutMs, signal })),
    ),
    pty_expect_send: inTerminal(async (id, { expect, data, enter, from, timeout_ms: timeoutMs }, { signal }) => {
      const seen = await terminals.waitFor(id, { pattern: expect, from, timeoutMs, signal });
      if (!seen.ok || !seen.value.matched) return waited(seen);
      const sent = await send(id, data, enter);
      return sent.ok ? ok(printed({ ...sent.value.facts, matched: true }, seen.value.text, MAX_TOOL_TEXT_BYTES)) : sent;
    }),
    pty_ctrl_c: inTerminal(async (id) => {
      const done = await terminals.interrupt(id);
      return done.ok ? afterwards(id, { interrupted: true }) : done;
    }),
    pty_resize: inTerminal(async (id, size) => {
      const done = await terminals.resize(id, size);
      return done.ok ? ok({ facts: { ...size } }) : done;
    }),
    pty_close: inTerminal(async (id) => {
      const done = await terminals.close(id);
      return done.ok ? ok({ facts: { closed: true } }) : done;
    }),
  };
}

/** Only a conversation has a terminal. */
function inTerminal<Input>(
  run: (id: ConversationId, input: Input, call: ToolCall) => Promise<Result<ToolAnswer>>,
): (input: Input, call: ToolCall) => Promise<Result<ToolAnswer>> {
  return (input, call) =>
    call.caller.kind === 'conversation'
      ? run(call.caller.conversationId, input, call)
      : Promise.resolve(
          fail('forbidden', 'this client has no conversation, so it has no terminal: use agent_log_* tools'),
        );
}

function printed(facts: Record<string, unknown>, text: string, maxBytes: number): ToolAnswer {
  const { text: body, cutBytes } = cutMiddleBytes(cleanForModel(text), maxBytes);
  const cut = cutBytes > 0 ? { omitted_bytes_of_text: cutBytes } : {};
  return body === '' ? { facts } : { facts: { ...facts, ...cut }, text: { from: 'terminal', body } };
}

/** A command line is text from outside too: a file name in it may say anything. */
function ofBlock(block: Block, output: string, maxBytes: number, truncated = false): ToolAnswer {
  const { cmd, cwd, ...facts } = block;
  return printed({ ...facts, ...(truncated && { truncated }) }, `[${cwd}] $ ${cmd}\n${output}`.trimEnd(), maxBytes);
}

function listed({ blocks, last_seq }: { readonly blocks: readonly Block[]; readonly last_seq: number }): ToolAnswer {
  const lines = blocks.map(jsonForModel);
  return printed({ blocks: blocks.length, last_seq }, lines.join('\n'), MAX_TOOL_TEXT_BYTES);
}

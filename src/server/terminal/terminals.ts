/**
 * What the rest of the server may ask of the terminals. A conversation has one that the person and the agent share, named by the id of the
 * conversation; its further ones, which are the person's alone, have a `TerminalKey` with a number. Whoever asks for an agent uses the former.
 */
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { OutputPage } from '../../contract/routes-terminal.ts';
import type {
  Block,
  BlockId,
  PtyServerFrame,
  PtySize,
  ScreenSnapshot,
  ScrollbackSnapshot,
  ShellId,
  TerminalKey,
  TerminalState,
  TerminalTab,
} from '../../contract/terminal.ts';

type Actor = Block['actor'];

export interface BlockQuery {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
  /** Text in the command or its output. */
  readonly query?: string | undefined;
}

export interface ExecResult {
  readonly block: Block;
  /** What it printed, without escape sequences; head and tail of a long output. */
  readonly text: string;
  readonly truncated: boolean;
}

export interface WaitRequest {
  /** Literal text, or `/a regular expression/flags`. */
  readonly pattern?: string | undefined;
  /** Until the shell waits for a command. */
  readonly prompt?: boolean | undefined;
  /** Offset to look from; now, when absent. */
  readonly from?: number | undefined;
  /** So many lines behind `from` are not looked at: the echo of what was typed. */
  readonly skipLines?: number | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface WaitResult {
  readonly matched: boolean;
  readonly text: string;
  readonly cursor: number;
}

/** Somebody who looks at a terminal. */
export interface Viewer {
  send(frame: PtyServerFrame): void;
  /** The PTY's bytes; `offset` is that of the first one. */
  write(offset: number, bytes: Buffer): void;
  /** The shell has ended: nothing more is sent. */
  end(): void;
}

export interface Attachment {
  input(data: string): void;
  resize(size: PtySize): void;
  /** Everything up to here has been drawn. */
  ack(cursor: number): void;
  detach(): void;
}

export interface BlockEvent {
  readonly conversationId: ConversationId;
  readonly kind: 'begin' | 'end';
  readonly shellId: ShellId;
  readonly block: Block;
}

export interface Terminals {
  /** The shared one first. */
  list(id: ConversationId): Promise<readonly TerminalTab[]>;
  hasTerminal(key: TerminalKey): Promise<boolean>;
  add(id: ConversationId): Promise<Result<TerminalTab>>;
  /** A further terminal, with all that is stored of it. Refused while a command runs in it, unless `endsCommand`. */
  remove(key: TerminalKey, endsCommand: boolean): Promise<Result<null>>;
  /** Starts it unless it runs. */
  open(id: TerminalKey): Promise<Result<TerminalState>>;
  /** Exact, also in `cursor`. */
  state(id: TerminalKey): Promise<Result<TerminalState>>;
  /** As last pushed by the pty host, without a request: `cursor` may be behind what was printed since. */
  pushedState(id: TerminalKey): Promise<Result<TerminalState>>;
  screen(id: TerminalKey): Promise<Result<ScreenSnapshot>>;
  scrollback(
    id: TerminalKey,
    query: { readonly lines: number; readonly maxBytes: number },
  ): Promise<Result<ScrollbackSnapshot>>;
  blocks(id: TerminalKey, query: BlockQuery): Promise<Result<{ blocks: Block[]; last_seq: number }>>;
  block(id: TerminalKey, blockId: BlockId): Promise<Result<Block>>;
  output(
    id: TerminalKey,
    blockId: BlockId,
    query: { readonly offset: number; readonly maxBytes: number; readonly keepsColors?: boolean },
  ): Promise<Result<OutputPage>>;
  /** Resolves when the block ends; after `timeoutMs` with the block as it is then, still running. */
  exec(
    id: TerminalKey,
    request: { readonly command: string; readonly actor: Actor; readonly timeoutMs: number },
  ): Promise<Result<ExecResult>>;
  /** Types a command when the shell asks for one, at the latest after a moment; tells the offset before its echo. */
  typeCommand(
    id: TerminalKey,
    request: { readonly command: string; readonly actor: Actor },
  ): Promise<Result<{ readonly cursor: number }>>;
  send(id: TerminalKey, input: { readonly data: string; readonly actor: Actor }): Promise<Result<null>>;
  /** Waits on output, never on time; not matched when the time is over or the shell ends. */
  waitFor(id: TerminalKey, request: WaitRequest): Promise<Result<WaitResult>>;
  interrupt(id: TerminalKey): Promise<Result<null>>;
  resize(id: TerminalKey, size: PtySize): Promise<Result<null>>;
  close(id: TerminalKey): Promise<Result<null>>;
  attach(id: TerminalKey, cursor: number | null, viewer: Viewer): Promise<Result<Attachment>>;
  /** Of shared terminals only. */
  onBlock(listener: (event: BlockEvent) => void): () => void;
}

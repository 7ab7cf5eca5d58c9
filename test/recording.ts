/** Recorded sessions of the real Codex, and what the pure center makes of them: bytes → lines → frames → signals → steps. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PendingApproval } from '../src/contract/approval.ts';
import { ThreadResult } from '../src/contract/codex.ts';
import type { Entry, NewEntry } from '../src/contract/entry.ts';
import { conversationIdOfThread, type RpcId } from '../src/contract/ids.ts';
import { EVENT_OF_ROLE, type UiEvent } from '../src/contract/ui-event.ts';
import { type Frame, NO_LABEL, parseFrame } from '../src/core/codex/frame.ts';
import { type Dialect, normalize, turnRecord } from '../src/core/codex/normalize.ts';
import type { OwnSignal, Signal } from '../src/core/codex/signal.ts';
import type { TurnLifecycle } from '../src/core/conversations/lifecycle.ts';
import { EMPTY_LIVE, type LiveState, reduceLive } from '../src/core/conversations/live.ts';
import { memoryOf, type TurnMemory } from '../src/core/conversations/reconcile.ts';
import { route } from '../src/core/conversations/route.ts';
import { emptyThread, type Output, type RpcReply, type ThreadState } from '../src/core/conversations/thread-state.ts';
import { isRecord } from '../src/core/text/is-record.ts';
import { EMPTY_LINES, pushBytes } from '../src/core/text/lines.ts';

export const FIXTURES = fileURLToPath(new URL('fixtures/codex/', import.meta.url));
export const AT = 1_794_787_200_000;
export const TS = '2026-11-16T00:00:00.000Z';
export const EPOCH = 'e1';

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** One line of a recording: who said it, and on which connection. */
export interface Wire {
  readonly client: string;
  readonly dir: 's2c' | 'c2s';
  readonly msg: Readonly<Record<string, unknown>>;
}

/** `0.166.0/turn` and so on. */
export function scenarios(): string[] {
  return readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.replace(/\.jsonl$/, ''))
    .sort();
}

export function readRecording(scenario: string): Wire[] {
  const text = readFileSync(join(FIXTURES, `${scenario}.jsonl`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const { client = 'only', dir, msg } = JSON.parse(line);
      return { client, dir, msg };
    });
}

export const clientsOf = (wires: readonly Wire[]): string[] => [...new Set(wires.map((one) => one.client))];

/** What Codex wrote to one connection. */
export function bytesOf(wires: readonly Wire[]): Uint8Array {
  const lines = wires.filter((one) => one.dir === 's2c').map((one) => `${JSON.stringify(one.msg)}\n`);
  return new TextEncoder().encode(lines.join(''));
}

/** A connection's reading side. */
export function createReader(start: Dialect = { epoch: EPOCH, hasItems: false }) {
  let lines = EMPTY_LINES;
  let label = NO_LABEL;
  let dialect = start;
  return {
    dialect: () => dialect,
    push(chunk: Uint8Array): { readonly frame: Frame; readonly signals: readonly Signal[] }[] {
      const pushed = pushBytes(lines, chunk);
      lines = pushed.state;
      return pushed.lines.flatMap((line) => {
        if (!('text' in line)) return [];
        const parsed = parseFrame(label, line.text);
        label = parsed.state;
        if (parsed.frame === null) return [];
        const step = normalize(dialect, parsed.frame);
        dialect = step.dialect;
        return [{ frame: parsed.frame, signals: step.signals }];
      });
    },
  };
}

export function signalsOf(chunks: readonly Uint8Array[]): Signal[] {
  const reader = createReader();
  return chunks.flatMap((chunk) => reader.push(chunk).flatMap((one) => one.signals));
}

/** One conversation, performed as the server would: what it stored, showed, asked and answered. */
export interface Run {
  state: ThreadState;
  memory: TurnMemory | null;
  live: LiveState;
  readonly accepted: (Signal | OwnSignal)[];
  readonly entries: Entry[];
  readonly events: UiEvent[];
  readonly asks: PendingApproval[];
  readonly replies: { readonly rpcId: RpcId; readonly body: RpcReply }[];
  readonly notes: unknown[];
  readonly lifecycle: TurnLifecycle[];
}

export function createRun(threadId: string, cwd: string): Run {
  const state = emptyThread(conversationIdOfThread(threadId), cwd, digest);
  return { ...resumeRun(state, []), entries: [] };
}

/** The same conversation after a restart of ours. */
export function resumeRun(state: ThreadState, entries: readonly Entry[]): Run {
  const empty = { accepted: [], events: [], asks: [], replies: [], notes: [], lifecycle: [] };
  return { state, memory: null, live: EMPTY_LIVE, entries: [...entries], ...empty };
}

export function accept(run: Run, signal: Signal | OwnSignal, at = AT): void {
  run.accepted.push(signal);
  const step = route(run.state, signal, at);
  run.state = step.state;
  for (const output of step.outputs) perform(run, output);
}

/** As the outbox does: the entry first, then the message. */
export function sayTo(run: Run, clientMessageId: string, text: string): void {
  const entry = { role: 'user', text, client_message_id: clientMessageId, mode: 'send', state: 'sent' } as const;
  perform(run, { do: 'append', entry });
  accept(run, { type: 'message.stored', clientMessageId, text });
}

function perform(run: Run, output: Output): void {
  const place = { conversation_id: run.state.conversationId, after: run.entries.length };
  const tell = (event: UiEvent) => {
    run.events.push(event);
    run.live = reduceLive(run.live, event);
  };
  if (output.do === 'append') {
    const { entry } = output;
    const stamped: Entry = { seq: run.entries.length + 1, ts: TS, ...entry };
    run.entries.push(stamped);
    const { conversation_id } = place;
    tell({ type: EVENT_OF_ROLE[entry.role], conversation_id, seq: stamped.seq, entry: stamped });
  } else if (output.do === 'publish') tell({ ...output.event, ...place });
  else if (output.do === 'ask') run.asks.push(output.ask.approval);
  else if (output.do === 'reply') run.replies.push({ rpcId: output.rpcId, body: output.body });
  else if (output.do === 'note') run.notes.push({ level: output.level, code: output.code, data: output.data });
  else if (output.do === 'lifecycle') run.lifecycle.push(output.event);
  else if (output.do === 'echo') {
    const { clientMessageId: client_message_id, turnId: turn_id, itemId: item_id } = output;
    perform(run, {
      do: 'append',
      entry: { role: 'delivery', client_message_id, state: 'delivered', turn_id, item_id },
    });
  } else if (output.do === 'remember') run.memory = memoryOf(run.state);
}

export interface Replay {
  readonly runs: Map<string, Run>;
  /** Signals of no thread that a person or a log should hear of. */
  readonly elsewhere: Signal[];
}

/** What one client of a recording, had it been Signalbox, would have made of it. */
export function replay(wires: readonly Wire[], runs = new Map<string, Run>()): Replay {
  const reader = createReader();
  const elsewhere: Signal[] = [];
  for (const { dir, msg } of wires) {
    if (dir === 'c2s') {
      hearOurselves(runs, msg);
      continue;
    }
    for (const { frame, signals } of reader.push(new TextEncoder().encode(`${JSON.stringify(msg)}\n`))) {
      if (frame.kind === 'response') hearResult(runs, frame.result, reader.dialect());
      for (const signal of signals) {
        const threadId = 'threadId' in signal ? signal.threadId : null;
        if (signal.type === 'thread.started') openRun(runs, signal.threadId, signal.cwd);
        const run = threadId === null ? undefined : (runs.get(threadId) ?? parentOf(runs, threadId));
        if (run !== undefined) accept(run, signal);
        else if (signal.type !== 'ignored' && signal.type !== 'limits.updated' && signal.type !== 'thread.status')
          elsewhere.push(signal);
      }
    }
  }
  return { runs, elsewhere };
}

function parentOf(runs: Map<string, Run>, threadId: string): Run | undefined {
  return [...runs.values()].find((run) => run.state.children.includes(threadId));
}

function openRun(runs: Map<string, Run>, threadId: string, cwd: string): Run {
  const run = runs.get(threadId) ?? createRun(threadId, cwd);
  runs.set(threadId, run);
  return run;
}

/** As the server does: a started or resumed thread is followed, and its newest turns are told if we were in one. */
function hearResult(runs: Map<string, Run>, result: unknown, dialect: Dialect): void {
  const parsed = ThreadResult.safeParse(result);
  if (!parsed.success || parsed.data.approvalPolicy === undefined) return;
  const { thread, initialTurnsPage } = parsed.data;
  const run = openRun(runs, thread.id, thread.cwd);
  if (run.state.turn === null || !initialTurnsPage) return;
  accept(run, { type: 'turns.found', turns: initialTurnsPage.data.map((turn) => turnRecord(dialect, turn)).reverse() });
}

/** `{"answers":{"q1":{"answers":["Yes"]}}}`, as Codex is told what a person answered to its questions. */
function answersIn(result: Record<string, unknown>): Record<string, string[]> {
  const given = isRecord(result.answers) ? Object.entries(result.answers) : [];
  return Object.fromEntries(
    given.map(([id, one]) => [id, isRecord(one) && Array.isArray(one.answers) ? one.answers.map(String) : []]),
  );
}

function hearOurselves(runs: Map<string, Run>, msg: Wire['msg']): void {
  if (msg.method !== undefined || !isRecord(msg.result)) return;
  for (const run of runs.values()) {
    const open = Object.values(run.state.asks).find((one) => one.rpcId === msg.id && !one.isAnsweredElsewhere);
    if (open === undefined) continue;
    const { decision, action, _meta } = msg.result;
    const persist = isRecord(_meta) ? _meta.persist : undefined;
    const word = String(decision ?? action ?? 'accept');
    accept(run, {
      type: 'approval.answered',
      approvalId: open.approval.approval_id,
      status: word === 'cancel' ? 'cancelled' : word === 'decline' ? 'declined' : 'accepted',
      decision: word === 'acceptForSession' || persist === 'session' ? 'accept_for_session' : word,
      answers: answersIn(msg.result),
    });
  }
}

/** The part of a run that an expectation holds: no numbers and times of our own. */
export function summaryOf({ runs, elsewhere }: Replay): unknown {
  const threads = [...runs].map(([threadId, run]) => [
    threadId,
    {
      entries: run.entries.map(({ seq: _seq, ts: _ts, ...entry }): Partial<NewEntry> => entry),
      asks: run.asks,
      ...(run.replies.length > 0 && { replies: run.replies }),
      ...(run.notes.length > 0 && { notes: run.notes }),
      live: run.live,
    },
  ]);
  return { threads: Object.fromEntries(threads), ...(elsewhere.length > 0 && { elsewhere }) };
}

/** What runs for conversations: found in the system and in Codex, told to clients, ended on request. */
import type { ConversationId } from '../../contract/ids.ts';
import type { RunningCommand } from '../../contract/running.ts';
import type { CodexOperations } from '../../core/codex/operations.ts';
import { commandKey, descendantsOf, groupByCommand, type SeenProcess } from '../../core/running/attribute.ts';
import { SHARED_TERMINAL } from '../../core/terminal/terminal-key.ts';
import { firstLine } from '../../core/text/cut.ts';
import { isoTime } from '../../core/text/iso-time.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { endProcesses } from './end-processes.ts';
import { startedAtMs } from './scan-processes.ts';

/** A command that Codex has not reported as ended. */
interface OpenCommand {
  readonly itemId: string;
  readonly turnId: string;
  readonly command: string;
}

/** An open conversation, as far as its commands go. */
export interface RunningConversation {
  readonly threadId: string | null;
  openCommands(): readonly OpenCommand[];
  /** Whether Codex has told of the item, lately. */
  hasItem(itemId: string): boolean;
  /** The turn that runs and those inside it. */
  runningTurns(): readonly string[];
  /** The commands are recorded as stopped, however they end. */
  markEnding(itemIds: readonly string[], by: 'SIGTERM' | 'SIGKILL'): void;
  /** The text of a command that has ended; null if the newest entries do not have it. */
  endedCommand(itemId: string): Promise<string | null>;
  warn(text: string): void;
}

export interface RunningPorts {
  readonly codex: Pick<CodexOperations, 'listRunningCommands' | 'killCommand'>;
  readonly clock: Clock;
  readonly log: Logger;
  scan(): readonly SeenProcess[];
  /** The server, Codex and the pty host: never part of a command. */
  own(): readonly number[];
  /** The shells of terminals, by their processes. */
  terminals(): ReadonlyMap<number, { readonly id: ConversationId; readonly number: number }>;
  /** Also for threads of sub-agents. */
  ownerOf(threadId: string): ConversationId | null;
  peek(id: ConversationId): RunningConversation | null;
  conversations(): readonly ConversationId[];
  publish(id: ConversationId, running: readonly RunningCommand[]): void;
}

interface Ended {
  readonly ended: number;
  readonly left: readonly RunningCommand[];
}

export interface Running {
  list(id: ConversationId | null): Promise<readonly RunningCommand[]>;
  /** All commands of the conversation if none is named. */
  end(id: ConversationId, itemIds: readonly string[] | null): Promise<Ended>;
  /** Ends the commands of turns that a person stopped. */
  stopTurns(id: ConversationId, turnIds: readonly string[]): void;
  /** Resolves when what Stop has to end has ended or was given up. */
  stopped(id: ConversationId): Promise<readonly RunningCommand[]>;
  /** Looks for what runs and tells clients; again after a while for as long as anything runs. */
  refresh(): void;
  close(): void;
}

const TERMINAL_ITEM = 'terminal';
/** How often what runs outside turns is looked at; a scan takes a few milliseconds. */
const REFRESH_MS = 2_000;
/** News of several conversations at once are one scan. */
const REFRESH_DELAY_MS = 50;
/** Codex answers an interrupt a few milliseconds before it ends the turn. */
const TURN_END_WAIT_MS = 1_000;
/** From the end of a process to Codex's report of it. */
const REPORT_WAIT_MS = 1_000;
const POLL_MS = 20;
const MAX_NAMED = 20;
const MAX_COMMAND_CHARS = 2_000;

interface Found {
  readonly itemId: string;
  readonly threadId: string;
  readonly kind: RunningCommand['kind'];
  readonly command: string | null;
  readonly turnId: string | null;
  readonly processes: readonly SeenProcess[];
}

export function createRunning(ports: RunningPorts): Running {
  const { clock, codex, log } = ports;
  const states = new Map<string, Exclude<RunningCommand['state'], 'running'>>();
  const told = new Map<ConversationId, string>();
  const stops = new Map<ConversationId, Promise<readonly RunningCommand[]>>();
  const endings = new Map<string, ReturnType<typeof endOne>>();
  let timer: Timer | null = null;
  let isClosed = false;

  const stateKey = (id: ConversationId, itemId: string) => `${id} ${itemId}`;

  /** Everything that runs, by conversation. */
  const findAll = (): ReadonlyMap<ConversationId, readonly Found[]> => {
    const processes = ports.scan();
    const terminals = ports.terminals();
    const own = new Set([...ports.own(), ...terminals.keys()]);
    const groups = groupByCommand(processes, (threadId) => ports.ownerOf(threadId) !== null, own);
    const byKey = new Map(groups.map((one) => [commandKey(one.mark), one]));
    const all = new Map<ConversationId, Found[]>();
    const add = (id: ConversationId, found: Found) => void all.set(id, [...(all.get(id) ?? []), found]);
    for (const id of ports.conversations()) {
      const conversation = ports.peek(id);
      const threadId = conversation?.threadId ?? null;
      if (conversation === null || threadId === null) continue;
      for (const { itemId, turnId, command } of conversation.openCommands()) {
        const key = commandKey({ threadId, itemId });
        add(id, { itemId, threadId, kind: 'command', command, turnId, processes: byKey.get(key)?.processes ?? [] });
        byKey.delete(key);
      }
    }
    for (const { mark, processes: members } of byKey.values()) {
      const id = ports.ownerOf(mark.threadId);
      if (id === null) continue;
      // Of a sub-agent nobody here knows which commands have ended.
      const kind = mark.threadId === ports.peek(id)?.threadId ? 'left' : 'command';
      add(id, { ...mark, kind, command: null, turnId: null, processes: members });
    }
    for (const [pid, { id, number }] of terminals) {
      const members = descendantsOf(pid, processes);
      if (members.length > 0)
        add(id, {
          itemId: number === SHARED_TERMINAL ? TERMINAL_ITEM : `${TERMINAL_ITEM}~${number}`,
          threadId: '',
          kind: 'terminal',
          command: null,
          turnId: null,
          processes: members,
        });
    }
    return all;
  };

  const shown = async (id: ConversationId, found: Found): Promise<RunningCommand> => {
    const { itemId, kind, processes } = found;
    const first = processes[0];
    const ended = kind === 'left' ? await ports.peek(id)?.endedCommand(itemId) : null;
    const startedMs = first === undefined ? null : startedAtMs(first.startTime, clock.now());
    return {
      conversation_id: id,
      item_id: itemId,
      kind,
      command: (found.command ?? ended ?? first?.command ?? '').slice(0, MAX_COMMAND_CHARS),
      state: states.get(stateKey(id, itemId)) ?? 'running',
      started_at: startedMs === null ? null : isoTime(startedMs),
      processes: processes.slice(0, MAX_NAMED).map(({ pid, command }) => ({ pid, command })),
      process_count: processes.length,
    };
  };

  const showAll = (id: ConversationId, found: readonly Found[]) => Promise.all(found.map((one) => shown(id, one)));

  /** A command of a running turn is a live item, until somebody ends it; programs in the terminal are shown there. */
  const isNews = (id: ConversationId, { kind, turnId, itemId }: Found): boolean => {
    if (kind === 'terminal') return false;
    if (kind === 'left' || states.has(stateKey(id, itemId))) return true;
    return turnId === null || ports.peek(id)?.runningTurns().includes(turnId) !== true;
  };

  /** Tells clients what changed; returns whether anything runs. */
  const tell = async (): Promise<boolean> => {
    const all = findAll();
    let isAny = false;
    for (const id of new Set([...all.keys(), ...told.keys()])) {
      const news = await showAll(
        id,
        (all.get(id) ?? []).filter((one) => isNews(id, one)),
      );
      if (news.length > 0) isAny = true;
      const text = JSON.stringify(news.map(({ started_at: _at, ...rest }) => rest));
      if ((told.get(id) ?? '[]') === text) continue;
      if (news.length === 0) told.delete(id);
      else told.set(id, text);
      ports.publish(id, news);
    }
    return isAny;
  };

  const refreshIn = (ms: number) => {
    if (isClosed) return;
    timer?.cancel();
    timer = clock.setTimer(ms, () => {
      timer = null;
      tell().then(
        (isAny) => {
          if (isAny && timer === null) refreshIn(REFRESH_MS);
        },
        (error: unknown) => log.error({ error }, 'what runs could not be read'),
      );
    });
  };
  const refresh = () => refreshIn(REFRESH_DELAY_MS);

  const until = async (isDone: () => boolean, limitMs: number): Promise<void> => {
    const deadline = clock.monotonicMs() + limitMs;
    while (!isDone() && clock.monotonicMs() < deadline) await clock.sleep(POLL_MS);
  };

  const setState = async (id: ConversationId, itemId: string, state: RunningCommand['state']) => {
    if (state === 'running') states.delete(stateKey(id, itemId));
    else states.set(stateKey(id, itemId), state);
    await tell();
  };

  /** Codex's own means: it kills the process group of a command, also where the system does not show processes. */
  const killByCodex = async (threadId: string, itemId: string): Promise<void> => {
    const listed = await codex.listRunningCommands(threadId);
    const found = listed.ok ? listed.value.find((one) => one.itemId === itemId) : undefined;
    if (found !== undefined) await codex.killCommand(threadId, found.processId);
  };

  /** Null if nothing of the command runs; otherwise what is left of it. */
  const endOne = async (id: ConversationId, itemId: string): Promise<{ readonly left: Found | null } | null> => {
    const find = () => (findAll().get(id) ?? []).find((one) => one.itemId === itemId) ?? null;
    const wanted = find();
    if (wanted === null) return null;
    const conversation = ports.peek(id);
    conversation?.markEnding([itemId], 'SIGTERM');
    await setState(id, itemId, 'ending');
    const kill = async () => {
      conversation?.markEnding([itemId], 'SIGKILL');
      await setState(id, itemId, 'killing');
      if (wanted.kind !== 'terminal') await killByCodex(wanted.threadId, itemId);
    };
    const left = await endProcesses({ clock, find: () => find()?.processes ?? [], onKill: kill });
    const isOpen = () => conversation?.openCommands().some((one) => one.itemId === itemId) === true;
    // Where no process was seen, only Codex can end the command.
    if (isOpen() && wanted.processes.length === 0) await kill();
    // Codex reports the end a moment after it.
    await until(() => !isOpen(), REPORT_WAIT_MS);
    const rest = find();
    await setState(id, itemId, rest === null ? 'running' : 'not_ended');
    if (left.length > 0) conversation?.warn(notEnded(left));
    return { left: rest };
  };

  const end = async (id: ConversationId, itemIds: readonly string[] | null): Promise<Ended> => {
    const wanted = itemIds ?? (findAll().get(id) ?? []).map((one) => one.itemId);
    const outcomes = await Promise.all(
      wanted.map((itemId) => {
        const key = stateKey(id, itemId);
        // Asked for twice at the same time, a command is ended once.
        const running = endings.get(key) ?? endOne(id, itemId).finally(() => endings.delete(key));
        endings.set(key, running);
        return running;
      }),
    );
    refresh();
    const left = outcomes.flatMap((one) => one?.left ?? []);
    return { ended: outcomes.filter((one) => one?.left === null).length, left: await showAll(id, left) };
  };

  const stopTurns = async (id: ConversationId, turnIds: readonly string[]): Promise<readonly RunningCommand[]> => {
    const conversation = ports.peek(id);
    if (conversation === null) return [];
    const isOver = () => !conversation.runningTurns().some((one) => turnIds.includes(one));
    await until(isOver, TURN_END_WAIT_MS);
    const items = conversation.openCommands().filter((one) => turnIds.includes(one.turnId));
    // A command that was stopped before Codex told of it: Codex ends its process group and reports nothing.
    const isUntold = ({ kind, itemId }: Found) => kind === 'left' && !conversation.hasItem(itemId);
    const untold = isOver() ? (findAll().get(id) ?? []).filter(isUntold) : [];
    if (items.length + untold.length === 0) return [];
    const { left } = await end(
      id,
      [...items, ...untold].map((one) => one.itemId),
    );
    return left;
  };

  return {
    async list(id) {
      const all = findAll();
      const ids = id === null ? [...all.keys()] : [id];
      return (await Promise.all(ids.map((one) => showAll(one, all.get(one) ?? [])))).flat();
    },
    end,
    stopTurns(id, turnIds) {
      const stopping = stopTurns(id, turnIds);
      stops.set(id, stopping);
      void stopping.finally(() => {
        if (stops.get(id) === stopping) stops.delete(id);
      });
    },
    stopped: async (id) => (await stops.get(id)) ?? [],
    refresh,
    close() {
      isClosed = true;
      timer?.cancel();
    },
  };
}

function notEnded(left: readonly SeenProcess[]): string {
  const names = left.slice(0, MAX_NAMED).map(({ pid, command }) => `${pid} (${firstLine(command, 60)})`);
  return `These processes could not be ended, also not by SIGKILL, and still run: ${names.join(', ')}.`;
}

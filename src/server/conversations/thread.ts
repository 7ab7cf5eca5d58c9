/** A conversation's thread in Codex: started at the first message, resumed when Codex has forgotten it, brought level after an outage. */
import type { ConversationMeta } from '../../contract/conversation.ts';
import { type Failure, fail, ok, type Result } from '../../contract/result.ts';
import { mergeApplied, NOTHING_APPLIED } from '../../core/codex/applied-settings.ts';
import type { TurnPage } from '../../core/codex/operations.ts';
import { isRefusal } from '../../core/codex/refusal.ts';
import type { AppliedSettings, TurnRecord } from '../../core/codex/signal.ts';
import type { ProjectLevels } from '../../core/trust/project-levels.ts';
import type { CodexPort, ProjectPort } from './ports.ts';
import type { Session } from './session.ts';
import type { ConversationStore } from './store.ts';

export interface Thread {
  /** The id of a thread that Codex has loaded and we hear of. */
  ensure(): Promise<Result<string>>;
  /** Codex has it in memory, in the process that runs now. */
  isLoaded(): boolean;
  applied(): AppliedSettings;
  noteSettings(settings: AppliedSettings): void;
  /** Codex, or our connection to it, was replaced: what it had loaded is gone, or what it did meanwhile is unknown. */
  forget(): void;
  /** Asks Codex what became of the newest turns; false when it cannot say. */
  catchUp(): Promise<boolean>;
}

export interface ThreadOptions {
  readonly codex: CodexPort;
  readonly session: Session;
  readonly store: ConversationStore;
  readonly meta: () => ConversationMeta;
  readonly saveMeta: (meta: ConversationMeta) => Promise<Result<null>>;
  readonly claim: (threadId: string) => void;
  readonly project: ProjectPort;
}

/** Turns looked at to find the one we last heard of. */
const MAX_MISSED_TURNS = 50;
const CATCH_UP_PAGE = 5;
/** Each is lost by a first message that never became a turn; nobody sends so many in vain. */
const MAX_LOST_THREADS = 20;

export function createThread(options: ThreadOptions): Thread {
  const { codex, session } = options;
  let loadedIn: string | null = null;
  /** What of the project's configuration the thread was loaded with. */
  let loadedWith: string | null = null;
  let applied = NOTHING_APPLIED;
  let loading: Promise<Result<string>> | null = null;

  /** For lists and headers, also of conversations that are not loaded. */
  const keepModel = () => {
    const { model } = applied;
    if (model === null || options.meta().applied_model === model) return;
    void options.saveMeta({ ...options.meta(), applied_model: model });
  };

  const start = async (levels: ProjectLevels): Promise<Result<string>> => {
    const started = await codex.startThread(options.meta(), levels);
    if (!started.ok) return started;
    const { thread, applied: said } = started.value;
    options.claim(thread.threadId);
    applied = mergeApplied(applied, said);
    const { thread_id, lost_threads: before, conversation_id } = options.meta();
    // Before its first thread, events are addressed to the conversation itself.
    const lost = thread_id ?? conversation_id;
    const saved = await options.saveMeta({
      ...options.meta(),
      thread_id: thread.threadId,
      // With the new one in one write: after a kill nobody else knows what the old one was.
      lost_threads: [...before, lost].slice(-MAX_LOST_THREADS),
      rollout_path: thread.rolloutPath,
      ...(said.model !== null && { applied_model: said.model }),
    });
    return saved.ok ? ok(thread.threadId) : saved;
  };

  const resume = async (threadId: string, levels: ProjectLevels): Promise<Result<string>> => {
    options.claim(threadId);
    const meta = options.meta();
    const request = { threadId, settings: meta, levels, rolloutPath: meta.rollout_path, newestTurns: CATCH_UP_PAGE };
    // What Codex did meanwhile is told before anything it says next.
    const resumed = await codex.resumeThread(request, ({ applied: said, newestTurns }) => {
      applied = mergeApplied(applied, said);
      keepModel();
      tellMissed(newestTurns);
    });
    if (resumed.ok) return ok(threadId);
    if (resumed.error.code === 'unknown_thread' && session.state().recorded.length === 0) return start(levels);
    return unreachable(resumed.error);
  };

  const load = async (threadId: string | null): Promise<Result<string>> => {
    const project = await options.project(options.meta().cwd);
    if (!project.ok) return project;
    const { levels, loads } = project.value;
    if (threadId !== null && isLoaded()) {
      if (loads === loadedWith) return ok(threadId);
      const released = await codex.releaseThread(threadId);
      if (!released.ok) return released;
      loadedIn = null;
    }
    const loaded = await (threadId === null ? start(levels) : resume(threadId, levels));
    if (loaded.ok) loadedWith = loads;
    return loaded;
  };

  const isLoaded = () => loadedIn !== null && loadedIn === codex.epoch();

  /** A decision about the project, or a changed file, counts from the next message on; a turn that runs is left alone. */
  const isOutdated = async (): Promise<boolean> => {
    if (session.state().turn !== null) return false;
    const project = await options.project(options.meta().cwd);
    return project.ok && project.value.loads !== loadedWith;
  };

  /** Who speaks in an archived conversation wants it back; Codex loads no archived thread. */
  const takeOut = async (threadId: string): Promise<Result<null>> => {
    const out = await codex.unarchiveThread(threadId);
    // It may be out already: somebody else took it, or its file was never moved.
    if (!out.ok && !isRefusal(out.error.code)) return out;
    loadedIn = null;
    return options.saveMeta({ ...options.meta(), archived: false });
  };

  const tellTurns = (newestFirst: readonly TurnRecord[]) =>
    session.accept({ type: 'turns.found', turns: newestFirst.toReversed() });

  /** Turns newer than the newest we know; none for a thread whose past is read as history. */
  const tellMissed = (newestFirst: readonly TurnRecord[]) => {
    const { endedTurns, turn, recorded } = session.state();
    const at = newestFirst.findIndex((one) => one.turnId === turn?.id || endedTurns.includes(one.turnId));
    if (at >= 0) tellTurns(newestFirst.slice(0, at + 1));
    else if (recorded.length > 0 || options.meta().history === null) tellTurns(newestFirst);
  };

  return {
    isLoaded,
    applied: () => applied,
    noteSettings(settings) {
      applied = mergeApplied(applied, settings);
      keepModel();
    },
    forget() {
      loadedIn = null;
    },
    async ensure() {
      const { thread_id, archived } = options.meta();
      if (archived && thread_id !== null) {
        const out = await takeOut(thread_id);
        if (!out.ok) return out;
      }
      if (thread_id !== null && isLoaded() && !(await isOutdated())) return ok(thread_id);
      loading ??= load(thread_id).finally(() => {
        loading = null;
      });
      const loaded = await loading;
      if (loaded.ok) loadedIn = codex.epoch();
      return loaded;
    },
    async catchUp() {
      const { thread_id } = options.meta();
      if (thread_id === null) return false;
      const last = session.state().turn?.id;
      const turns: TurnRecord[] = [];
      let cursor: string | null = null;
      do {
        const page: Result<TurnPage> = await codex.listTurns(thread_id, { limit: CATCH_UP_PAGE, cursor });
        if (!page.ok) return false;
        turns.push(...page.value.turns);
        cursor = page.value.nextCursor;
      } while (cursor !== null && turns.length < MAX_MISSED_TURNS && !turns.some((turn) => turn.turnId === last));
      const at = turns.findIndex((turn) => turn.turnId === last);
      tellTurns(at < 0 ? turns.slice(0, 1) : turns.slice(0, at + 1));
      return true;
    },
  };
}

/** The codes that clients know: `conflict` for a thread that cannot be loaded now, `codex_error` for one that Codex has lost. */
function unreachable(failure: Failure): Result<never> {
  const { code, message, details } = failure;
  if (code === 'thread_in_use' || code === 'provider_mismatch') return fail('conflict', message);
  return code === 'unknown_thread' ? fail('codex_error', message, { ...details }) : { ok: false, error: failure };
}

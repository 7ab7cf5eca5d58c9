/** A conversation's thread in Codex: started at the first message, resumed when Codex has forgotten it, brought level after an outage. */
import type { ConversationMeta } from '../../contract/conversation.ts';
import { type Failure, fail, ok, type Result } from '../../contract/result.ts';
import type { ThreadHolder } from '../../contract/ui-event.ts';
import { mergeApplied, NOTHING_APPLIED } from '../../core/codex/applied-settings.ts';
import type { TurnPage } from '../../core/codex/operations.ts';
import { isRefusal } from '../../core/codex/refusal.ts';
import type { AppliedSettings, TurnRecord } from '../../core/codex/signal.ts';
import type { ModelText } from '../../core/context/fragment.ts';
import { forgetTold } from '../../core/context/in-flight.ts';
import { asHeld, markFrom, newerTurns } from '../../core/conversations/elsewhere.ts';
import { whyMoved } from '../../core/conversations/settings.ts';
import type { ProjectLevels } from '../../core/trust/project-levels.ts';
import { resolveDirectory } from '../../node/path-kind.ts';
import type { CodexPort, Project, ProjectPort } from './ports.ts';
import type { Session } from './session.ts';
import type { ConversationStore } from './store.ts';
import type { MetaChange } from './stored-meta.ts';

export interface Thread {
  /** The id of a thread that Codex has loaded and we hear of. */
  ensure(): Promise<Result<string>>;
  /** Codex has it in memory, in the process that runs now. */
  isLoaded(): boolean;
  /** Starts a new thread in the place of the one Codex cannot read any more, and gives the model what `earlier` says. */
  replace(): Promise<Result<string>>;
  applied(): AppliedSettings;
  noteSettings(settings: AppliedSettings): void;
  /** Codex, or our connection to it, was replaced: what it had loaded is gone, or what it did meanwhile is unknown. */
  forget(): void;
  /** Asks Codex what became of the newest turns; false when it cannot say. */
  catchUp(): Promise<boolean>;
  /** The other process that has the thread open. */
  holder(): ThreadHolder | null;
  /** Tells the turns that another program made since the newest known one; false when Codex cannot say. */
  readElsewhere(): Promise<boolean>;
}

export interface ThreadOptions {
  readonly codex: CodexPort;
  readonly session: Session;
  readonly store: ConversationStore;
  readonly meta: () => ConversationMeta;
  readonly changeMeta: (change: MetaChange) => Promise<Result<null>>;
  readonly claim: (threadId: string) => void;
  readonly project: ProjectPort;
  /** The newest turn in what was fetched of the past from before this conversation; null if there is none. */
  readonly newestPast: () => Promise<string | null>;
  /** What the model is told of the conversation so far, if its own record is lost. */
  readonly earlier: (lostThread: string) => Promise<readonly ModelText[]>;
}

/** Turns looked at to find the one we last heard of. */
const MAX_MISSED_TURNS = 50;
const CATCH_UP_PAGE = 5;
/** Each is lost by a first message that never became a turn; nobody sends so many in vain. */
const MAX_LOST_THREADS = 20;

export function createThread(options: ThreadOptions): Thread {
  const { codex, session } = options;
  let loadedIn: string | null = null;
  /** The project as it was when the thread was loaded, or when it was last found to load the same. */
  let known: { readonly cwd: string; readonly project: Project } | null = null;
  /** Replaced, never changed: the object stands for all that Codex has said about the settings of this thread up to now. */
  let applied: AppliedSettings = { ...NOTHING_APPLIED };
  let loading: Promise<Result<string>> | null = null;

  /** For lists and headers, also of conversations that are not loaded. */
  const keepApplied = () => {
    const meta = options.meta();
    const fields = appliedFields(applied);
    const next = { ...meta, ...fields };
    if (next.applied_model === meta.applied_model && next.applied_effort === meta.applied_effort) return;
    void options.changeMeta((now) => ({ ...now, ...fields }));
  };

  /** `recovering`: the thread whose history the new one is told. */
  const start = async (levels: ProjectLevels, recovering: string | null): Promise<Result<string>> => {
    const started = await codex.startThread(options.meta(), levels);
    if (!started.ok) return started;
    const { thread, applied: said } = started.value;
    if (recovering !== null) {
      const told = await codex.injectFragments(thread.threadId, await options.earlier(recovering));
      if (!told.ok) return told;
    }
    options.claim(thread.threadId);
    applied = mergeApplied(applied, said);
    const saved = await options.changeMeta((meta) => ({
      ...meta,
      thread_id: thread.threadId,
      // With the new one in one write: after a kill nobody else knows what the old one was. Before its first thread, events are addressed
      // to the conversation itself.
      lost_threads: [...meta.lost_threads, meta.thread_id ?? meta.conversation_id].slice(-MAX_LOST_THREADS),
      rollout_path: thread.rolloutPath,
      recovering,
      // What was not fetched of the lost thread's past cannot be fetched any more.
      ...(recovering !== null && meta.history !== null && { history: { ...meta.history, complete: true } }),
      ...(recovering !== null && { context_memory: forgetTold(meta.context_memory) }),
      ...appliedFields(said),
    }));
    return saved.ok ? ok(thread.threadId) : saved;
  };

  const resume = async (threadId: string, levels: ProjectLevels): Promise<Result<string>> => {
    options.claim(threadId);
    // The answer to the resume has only the newest turns.
    await readElsewhere();
    const meta = options.meta();
    const request = { threadId, settings: meta, levels, rolloutPath: meta.rollout_path, newestTurns: CATCH_UP_PAGE };
    // What Codex did meanwhile is told before anything it says next.
    const resumed = await codex.resumeThread(request, ({ applied: said, newestTurns }) => {
      applied = mergeApplied(applied, said);
      keepApplied();
      tellMissed(newestTurns);
    });
    if (resumed.ok) return ok(threadId);
    if (resumed.error.code !== 'unknown_thread') return unreachable(resumed.error);
    const { recovering, history } = options.meta();
    const isEmpty = session.state().recorded.length === 0 && history === null;
    return isEmpty || recovering !== null ? start(levels, recovering) : unreadable(resumed.error, threadId);
  };

  const load = async (threadId: string | null): Promise<Result<string>> => {
    const { cwd } = options.meta();
    // Read anew, whatever the times of its files say: from here on Codex reads them too.
    const read = await options.project(cwd);
    if (!read.ok) return read;
    const { levels, loads } = read.value;
    if (threadId !== null && isLoaded()) {
      if (loads === known?.project.loads) return ok(threadId);
      const released = await codex.releaseThread(threadId);
      if (!released.ok) return released;
      loadedIn = null;
    }
    // Whatever settings Codex had accepted for the thread, it takes those of this request now.
    applied = { ...applied };
    const loaded = await (threadId === null ? start(levels, null) : resume(threadId, levels));
    if (loaded.ok) known = { cwd, project: read.value };
    return loaded;
  };

  /** Before every turn: the directory is where it was when a person chose it. */
  const checkPlace = async (): Promise<Result<null>> => {
    const { cwd, real_cwd } = options.meta();
    const now = await resolveDirectory(cwd);
    if (now === null) return ok(null);
    if (real_cwd === null) return options.changeMeta((meta) => (meta.cwd === cwd ? { ...meta, real_cwd: now } : meta));
    const moved = whyMoved(options.meta(), now);
    return moved === null ? ok(null) : fail('conflict', moved, { directory: now });
  };

  const isLoaded = () => loadedIn !== null && loadedIn === codex.epoch();

  /** A decision about the project, or a changed file, counts from the next message on; a turn that runs is left alone. */
  const isOutdated = async (): Promise<boolean> => {
    if (session.state().turn !== null) return false;
    const { cwd } = options.meta();
    if (known?.cwd === cwd && (await known.project.isCurrent())) return false;
    const read = await options.project(cwd);
    if (!read.ok) return false;
    if (read.value.loads !== known?.project.loads) return true;
    known = { cwd, project: read.value };
    return false;
  };

  /** Who speaks in an archived conversation wants it back; Codex loads no archived thread. */
  const takeOut = async (threadId: string): Promise<Result<null>> => {
    const out = await codex.unarchiveThread(threadId);
    // It may be out already: somebody else took it, or its file was never moved.
    if (!out.ok && !isRefusal(out.error.code)) return out;
    loadedIn = null;
    return options.changeMeta((meta) => ({ ...meta, archived: false }));
  };

  const holder = (): ThreadHolder | null => {
    const { thread_id } = options.meta();
    return thread_id === null ? null : codex.holderOf(thread_id);
  };

  const tellTurns = (newestFirst: readonly TurnRecord[]) =>
    session.accept({ type: 'turns.found', turns: asHeld(newestFirst, holder() !== null).toReversed() });

  const isKnown = (turnId: string): boolean => {
    const { turn, endedTurns } = session.state();
    return turnId === turn?.id || endedTurns.includes(turnId);
  };

  /** Pages back to the newest known turn. Null where Codex cannot say, or has no known turn among its newest. */
  const readNewer = async (threadId: string): Promise<readonly TurnRecord[] | null> => {
    const past = await options.newestPast();
    // A turn that runs is known and has news.
    const isSettled = (turnId: string) => turnId === past || (isKnown(turnId) && session.state().turn?.id !== turnId);
    const turns: TurnRecord[] = [];
    for (let cursor: string | null = null; turns.length < MAX_MISSED_TURNS; ) {
      const page: Result<TurnPage> = await codex.listTurns(threadId, { limit: CATCH_UP_PAGE, cursor });
      if (!page.ok) return null;
      turns.push(...page.value.turns);
      const newer = newerTurns(turns, isSettled);
      if (newer !== null) return newer;
      cursor = page.value.nextCursor;
      if (cursor === null) break;
    }
    // Nothing of it is known here: its past is read as history, when somebody looks at it.
    const { history } = options.meta();
    return history === null || session.state().turn !== null ? turns : [];
  };

  const readElsewhere = async (): Promise<boolean> => {
    const { thread_id, rollout_path } = options.meta();
    if (thread_id === null || isLoaded()) return true;
    const by = holder();
    const newer = await readNewer(thread_id);
    if (newer === null) return false;
    // Loaded meanwhile: the resume has told what was missed.
    if (newer.length === 0 || isLoaded()) return true;
    const triggers: ReadonlyMap<string, string> =
      rollout_path === null ? new Map() : await codex.readTurnTriggers(rollout_path);
    if (!isLoaded()) tellTurns(newer.map((turn) => markFrom(turn, triggers, by?.name ?? null)));
    return true;
  };

  /** Turns newer than the newest we know; none for a thread whose past is read as history. */
  const tellMissed = (newestFirst: readonly TurnRecord[]) => {
    const { endedTurns, turn, recorded } = session.state();
    const at = newestFirst.findIndex((one) => one.turnId === turn?.id || endedTurns.includes(one.turnId));
    if (at >= 0) tellTurns(newestFirst.slice(0, at + 1));
    else if (recorded.length > 0 || options.meta().history === null) tellTurns(newestFirst);
  };

  return {
    isLoaded,
    async replace() {
      const { thread_id, cwd } = options.meta();
      const project = await options.project(cwd);
      if (!project.ok) return project;
      const replaced = await start(project.value.levels, thread_id);
      if (!replaced.ok) return replaced;
      loadedIn = codex.epoch();
      known = { cwd, project: project.value };
      return replaced;
    },
    applied: () => applied,
    noteSettings(settings) {
      applied = mergeApplied(applied, settings);
      keepApplied();
    },
    forget() {
      loadedIn = null;
    },
    async ensure() {
      const placed = await checkPlace();
      if (!placed.ok) return placed;
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
    holder,
    readElsewhere,
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

/** Fields of the sidecar; nothing while Codex has not said what it uses. */
function appliedFields({ model, effort }: AppliedSettings): Pick<ConversationMeta, 'applied_model' | 'applied_effort'> {
  return model === null ? {} : { applied_model: model, applied_effort: effort ?? undefined };
}

/** The thread had turns, and Codex has no file of it or cannot read the file. Codex's own words are kept for a bug report. */
function unreadable({ message }: Failure, threadId: string): Result<never> {
  return fail(
    'thread_unreadable',
    'Codex cannot read its own record of this conversation. The transcript here is complete. To go on in a new thread, recover the conversation.',
    { thread_id: threadId, codex: message },
  );
}

/** The code that clients know for a thread that cannot be loaded now is `conflict`. */
function unreachable(failure: Failure): Result<never> {
  const { code, message } = failure;
  const isBusy = code === 'thread_in_use' || code === 'provider_mismatch';
  return isBusy ? fail('conflict', message) : { ok: false, error: failure };
}

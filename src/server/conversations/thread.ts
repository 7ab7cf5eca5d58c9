/** A conversation's thread in Codex: started at the first message, resumed when Codex has forgotten it, brought level after an outage. */

import { type CodexTurn, ThreadResult, TurnsPage } from '../../contract/codex.ts';
import type { ConversationMeta } from '../../contract/conversation.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { turnRecord } from '../../core/codex/normalize.ts';
import { isNowhere, isOtherFile } from '../../core/codex/resume-error.ts';
import { type AppliedSettings, threadResumeParams, threadStartParams } from '../../core/conversations/settings.ts';
import { isRecord } from '../../core/text/is-record.ts';
import type { CodexPort } from './ports.ts';
import type { Session } from './session.ts';
import type { ConversationStore } from './store.ts';

export interface Thread {
  /** The id of a thread that Codex has loaded and we hear of. */
  ensure(): Promise<Result<string>>;
  /** Codex has it in memory, in the process that runs now. */
  isLoaded(): boolean;
  applied(): AppliedSettings;
  noteSettings(settings: Readonly<Record<string, unknown>>): void;
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
}

/** Turns looked at to find the one we last heard of. */
const MAX_MISSED_TURNS = 50;
const CATCH_UP_PAGE = 5;
/** Each is lost by a first message that never became a turn; nobody sends so many in vain. */
const MAX_LOST_THREADS = 20;
const LOAD_TIMEOUT_MS = 60_000;

export function createThread(options: ThreadOptions): Thread {
  const { codex, session } = options;
  let loadedIn: string | null = null;
  let applied: AppliedSettings = { sandboxType: null };
  let loading: Promise<Result<string>> | null = null;

  /** What Codex says a thread runs with; it is told in two places and under two names. */
  const note = (said: { readonly sandbox: unknown; readonly model: unknown; readonly collaborationMode: unknown }) => {
    const { sandbox, model, collaborationMode: mode } = said;
    applied = {
      sandboxType: isRecord(sandbox) && typeof sandbox.type === 'string' ? sandbox.type : applied.sandboxType,
      model: typeof model === 'string' ? model : (applied.model ?? null),
      mode: isRecord(mode) && typeof mode.mode === 'string' ? mode.mode : (applied.mode ?? null),
    };
  };

  /** For lists and headers, also of conversations that are not loaded. */
  const keepModel = () => {
    const { model } = applied;
    if (typeof model !== 'string' || options.meta().applied_model === model) return;
    void options.saveMeta({ ...options.meta(), applied_model: model });
  };

  const start = async (): Promise<Result<string>> => {
    const started = await codex.request('thread/start', threadStartParams(options.meta()), {
      timeoutMs: LOAD_TIMEOUT_MS,
    });
    if (!started.ok) return started;
    const result = ThreadResult.safeParse(started.value);
    if (!result.success) return fail('codex_error', 'Codex gave an unreadable answer to thread/start');
    const { thread, sandbox, model, collaborationMode } = result.data;
    options.claim(thread.id);
    note({ sandbox, model, collaborationMode });
    const { thread_id: lost, lost_threads: before } = options.meta();
    const saved = await options.saveMeta({
      ...options.meta(),
      thread_id: thread.id,
      // With the new one in one write: after a kill nobody else knows what the old one was.
      lost_threads: lost === null ? before : [...before, lost].slice(-MAX_LOST_THREADS),
      rollout_path: thread.path ?? null,
      ...(typeof model === 'string' && { applied_model: model }),
    });
    return saved.ok ? ok(thread.id) : saved;
  };

  const resume = async (threadId: string): Promise<Result<string>> => {
    options.claim(threadId);
    const params = {
      ...threadResumeParams(threadId, options.meta()),
      initialTurnsPage: { limit: CATCH_UP_PAGE, sortDirection: 'desc', itemsView: 'full' },
    };
    const request = (more: Record<string, unknown>) =>
      codex.request(
        'thread/resume',
        { ...params, ...more },
        {
          timeoutMs: LOAD_TIMEOUT_MS,
          // What Codex did meanwhile is told before anything it says next.
          onResult: (value) => {
            const result = ThreadResult.safeParse(value);
            if (!result.success) return;
            const { sandbox, model, collaborationMode } = result.data;
            note({ sandbox, model, collaborationMode });
            keepModel();
            tellMissed(result.data.initialTurnsPage?.data ?? []);
          },
        },
      );
    const found = await request({});
    // Told its path, Codex does not look for it.
    const path = options.meta().rollout_path;
    const isMistaken = !found.ok && path !== null && isOtherFile(found.error.message, threadId);
    const resumed = isMistaken ? await request({ path }) : found;
    if (resumed.ok) return ok(threadId);
    if (isNowhere(resumed.error.message) && session.state().recorded.length === 0) return start();
    return unreachable(resumed);
  };

  /** Who speaks in an archived conversation wants it back; Codex loads no archived thread. */
  const takeOut = async (threadId: string): Promise<Result<null>> => {
    const answer = await codex.request('thread/unarchive', { threadId });
    // It may be out already: somebody else took it, or its file was never moved.
    if (!answer.ok && answer.error.code !== 'codex_error') return answer;
    loadedIn = null;
    return options.saveMeta({ ...options.meta(), archived: false });
  };

  const tellTurns = (newestFirst: readonly CodexTurn[]) => {
    const dialect = codex.dialect();
    session.accept({ type: 'turns.found', turns: newestFirst.map((turn) => turnRecord(dialect, turn)).reverse() });
  };

  /** Turns newer than the newest we know; none for a thread whose past is read as history. */
  const tellMissed = (newestFirst: readonly CodexTurn[]) => {
    const { endedTurns, turn, recorded } = session.state();
    const at = newestFirst.findIndex((one) => one.id === turn?.id || endedTurns.includes(one.id));
    if (at >= 0) tellTurns(newestFirst.slice(0, at + 1));
    else if (recorded.length > 0 || options.meta().history === null) tellTurns(newestFirst);
  };

  return {
    isLoaded: () => loadedIn !== null && loadedIn === codex.dialect().epoch,
    applied: () => applied,
    noteSettings({ sandboxPolicy: sandbox, model, collaborationMode }) {
      note({ sandbox, model, collaborationMode });
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
      const epoch = codex.dialect().epoch;
      if (thread_id !== null && loadedIn !== null && loadedIn === epoch) return ok(thread_id);
      loading ??= (thread_id === null ? start() : resume(thread_id)).finally(() => {
        loading = null;
      });
      const loaded = await loading;
      if (loaded.ok) loadedIn = codex.dialect().epoch;
      return loaded;
    },
    async catchUp() {
      const { thread_id } = options.meta();
      if (thread_id === null) return false;
      const last = session.state().turn?.id;
      const turns: CodexTurn[] = [];
      let cursor: string | null = null;
      do {
        const page = await codex.request('thread/turns/list', {
          threadId: thread_id,
          limit: CATCH_UP_PAGE,
          sortDirection: 'desc',
          itemsView: 'full',
          ...(cursor !== null && { cursor }),
        });
        const parsed = page.ok ? TurnsPage.safeParse(page.value) : null;
        if (parsed === null || !parsed.success) return false;
        turns.push(...parsed.data.data);
        cursor = parsed.data.nextCursor ?? null;
      } while (cursor !== null && turns.length < MAX_MISSED_TURNS && !turns.some((turn) => turn.id === last));
      const at = turns.findIndex((turn) => turn.id === last);
      tellTurns(at < 0 ? turns.slice(0, 1) : turns.slice(0, at + 1));
      return true;
    },
  };
}

/** Refusals a person can do something about, in words that say what. */
function unreachable(refused: Result<never>): Result<never> {
  if (refused.ok) return refused;
  const data = refused.error.details?.data;
  if (isRecord(data) && data.type === 'modelProviderMismatch') {
    const { modelProvider, currentModelProvider } = data;
    return fail(
      'conflict',
      `this thread belongs to the model provider ${modelProvider}; Codex now runs with ${currentModelProvider}. Sign in or configure ${modelProvider} to go on with it; reading works.`,
    );
  }
  if (/already has an active writer/.test(refused.error.message)) {
    return fail('conflict', 'another Codex process has this thread open: close it there first; reading works');
  }
  return refused;
}

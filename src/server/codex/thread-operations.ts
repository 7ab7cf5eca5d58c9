/** Requests to Codex about threads: start, resume, list, change, remove. */
import { ok, type Result } from '../../contract/result.ts';
import { readLoaded, readResumed, readStarted, readThread, readThreads, readTurns } from '../../core/codex/answers.ts';
import { codexTurnId } from '../../core/codex/normalize.ts';
import type { ThreadOperations } from '../../core/codex/operations.ts';
import {
  threadForkParams,
  threadResumeParams,
  threadStartParams,
  threadsListParams,
  turnsListParams,
} from '../../core/codex/params.ts';
import { readWorkspaceWrite } from '../../core/codex/permission-profiles.ts';
import { isAlreadyMoved, isOtherFile } from '../../core/codex/refusal.ts';
import { injectedItems } from '../../core/context/carriers.ts';
import { createAsk, done, type Requester, readAnswer } from './ask.ts';
import type { Protection } from './protection.ts';

/** A new thread has no file to read: Codex answers within a second, also on a loaded machine within a few. */
const START_TIMEOUT_MS = 15_000;
/** Codex reads the whole file of a thread before it answers. */
const LOAD_TIMEOUT_MS = 60_000;
/** Shorter than for other requests: a person waits for the list, and it is shown without Codex's threads too. */
const LIST_TIMEOUT_MS = 10_000;

export function createThreadOperations(link: Requester, protection: Protection): ThreadOperations {
  const ask = createAsk(link);

  const move = async (method: 'thread/archive' | 'thread/unarchive', threadId: string): Promise<Result<null>> => {
    const answer = await ask(method, { threadId });
    return !answer.ok && isAlreadyMoved(answer.error) ? ok(null) : done(answer);
  };

  return {
    async startThread(settings, levels) {
      const profiles = await protection.profiles(settings.cwd);
      if (!profiles.ok) return profiles;
      const params = threadStartParams(settings, levels, profiles.value);
      const answer = await ask('thread/start', params, { timeoutMs: START_TIMEOUT_MS });
      return readAnswer('thread/start', answer, readStarted);
    },
    async resumeThread({ threadId, settings, rolloutPath, newestTurns, levels }, onResumed) {
      const profiles = await protection.profiles(settings.cwd);
      if (!profiles.ok) return profiles;
      const params = threadResumeParams(threadId, settings, newestTurns, levels, profiles.value);
      const resume = (more: { readonly path?: string }) =>
        ask(
          'thread/resume',
          { ...params, ...more },
          {
            timeoutMs: LOAD_TIMEOUT_MS,
            refusals: ['unknown_thread', 'provider_mismatch', 'thread_in_use'],
            onResult(value) {
              const resumed = readResumed(link.dialect(), value);
              if (resumed !== null) onResumed(resumed);
            },
          },
        );
      const found = await resume({});
      if (found.ok || rolloutPath === null || !isOtherFile(found.error, threadId)) return done(found);
      // Given the path of the file, Codex does not search for it.
      return done(await resume({ path: rolloutPath }));
    },
    async forkThread({ threadId, lastTurnId, cwd, levels }) {
      const profiles = await protection.profiles(cwd);
      if (!profiles.ok) return profiles;
      const params = threadForkParams(threadId, lastTurnId, levels, profiles.value);
      const answer = await ask('thread/fork', params, { refusals: ['stale'] });
      return readAnswer('thread/fork', answer, readThread);
    },
    releaseThread: async (threadId) => done(await ask('thread/unsubscribe', { threadId })),
    async revertThread(threadId, beforeTurnId) {
      const params = { threadId, beforeTurnId: codexTurnId(beforeTurnId) };
      return done(await ask('thread/revert', params, { refusals: ['stale', 'conflict'] }));
    },
    archiveThread: (threadId) => move('thread/archive', threadId),
    unarchiveThread: (threadId) => move('thread/unarchive', threadId),
    async deleteThread(threadId) {
      const answer = await ask('thread/delete', { threadId });
      return !answer.ok && isAlreadyMoved(answer.error) ? ok(null) : done(answer);
    },
    nameThread: async (threadId, name) => done(await ask('thread/name/set', { threadId, name })),
    async readNetworkAccess() {
      const answer = await ask('config/read', { includeLayers: false }, { timeoutMs: LIST_TIMEOUT_MS });
      return answer.ok ? ok(readWorkspaceWrite(answer.value).networkAccess) : answer;
    },
    compactThread: async (threadId) => done(await ask('thread/compact/start', { threadId }, { refusals: ['stale'] })),
    injectFragments: async (threadId, fragments) =>
      done(await ask('thread/inject_items', { threadId, items: injectedItems(fragments) })),
    readThread: async (threadId) => readAnswer('thread/read', await ask('thread/read', { threadId }), readThread),
    async listThreads(query) {
      const answer = await ask('thread/list', threadsListParams(query), { timeoutMs: LIST_TIMEOUT_MS });
      return readAnswer('thread/list', answer, readThreads);
    },
    listLoadedThreads: async () => readAnswer('thread/loaded/list', await ask('thread/loaded/list', {}), readLoaded),
    async listTurns(threadId, { limit, cursor }) {
      const answer = await ask('thread/turns/list', turnsListParams(threadId, limit, cursor));
      return readAnswer('thread/turns/list', answer, (value) => readTurns(link.dialect(), value));
    },
  };
}

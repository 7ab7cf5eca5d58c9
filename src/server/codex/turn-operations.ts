/** Requests to Codex about turns: start, steer, interrupt, review, and a shell command of the person's. */
import { ok } from '../../contract/result.ts';
import { readSteeredId, readTurnId } from '../../core/codex/answers.ts';
import { codexTurnId } from '../../core/codex/normalize.ts';
import type { TurnOperations } from '../../core/codex/operations.ts';
import { turnStartParams, turnSteerParams } from '../../core/codex/params.ts';
import { isUndefinedProfile } from '../../core/codex/refusal.ts';
import { createAsk, done, type Requester } from './ask.ts';
import type { Protection } from './protection.ts';

const TURN_TIMEOUT_MS = 60_000;
/** How long Codex lets a shell command of the person's run. */
const SHELL_TIMEOUT_MS = 3_600_000;

export function createTurnOperations(link: Requester, protection: Protection): TurnOperations {
  const ask = createAsk(link);
  const turnIn = (value: unknown) => readTurnId(link.dialect(), value);

  return {
    async startTurn({ threadId, message, settings, applied }, onStarted) {
      const start = (hasProfiles: boolean) =>
        ask('turn/start', turnStartParams(threadId, message, settings, applied, hasProfiles), {
          timeoutMs: TURN_TIMEOUT_MS,
          onResult(value) {
            const turnId = turnIn(value);
            if (turnId !== null) onStarted(turnId);
          },
        });
      const first = await start(protection.hasProfiles());
      // A thread that an earlier version of ours loaded into this Codex has no profiles until it is loaded again.
      const answer = !first.ok && isUndefinedProfile(first.error) ? await start(false) : first;
      return answer.ok ? ok(turnIn(answer.value)) : answer;
    },
    async steerTurn(threadId, turnId, message) {
      const answer = await ask('turn/steer', turnSteerParams(threadId, turnId, message), {
        refusals: ['unknown_method', 'no_active_turn'],
      });
      return answer.ok ? ok(readSteeredId(link.dialect(), answer.value) ?? turnId) : answer;
    },
    interruptTurn: async (threadId, turnId) =>
      done(await ask('turn/interrupt', { threadId, turnId: codexTurnId(turnId) }, { refusals: ['no_active_turn'] })),
    async startReview(threadId, target) {
      const answer = await ask('review/start', { threadId, target, delivery: 'inline' });
      return answer.ok ? ok(turnIn(answer.value) ?? '') : answer;
    },
    runShellCommand: async (threadId, command) =>
      done(await ask('thread/shellCommand', { threadId, command, timeoutMs: SHELL_TIMEOUT_MS })),
  };
}

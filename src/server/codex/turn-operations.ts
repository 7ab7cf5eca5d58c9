/** Requests to Codex about turns: start, steer, interrupt, review, and a shell command of the person's. */
import { ok } from '../../contract/result.ts';
import { readKilled, readRunning, readSteeredId, readTurnId } from '../../core/codex/answers.ts';
import { codexTurnId } from '../../core/codex/normalize.ts';
import type { TurnOperations } from '../../core/codex/operations.ts';
import { NO_DEFAULTS, turnOverrides, turnStartParams, turnSteerParams } from '../../core/codex/params.ts';
import { isUndefinedProfile, readRefusal, runningTurnIn } from '../../core/codex/refusal.ts';
import { createAsk, done, type Requester, readAnswer } from './ask.ts';
import { createDefaults } from './defaults.ts';
import { createLastOverrides } from './last-overrides.ts';
import type { Protection } from './protection.ts';

const TURN_TIMEOUT_MS = 60_000;
/** How long Codex lets a shell command of the person's run. */
const SHELL_TIMEOUT_MS = 3_600_000;

/** More commands than a thread runs at once. */
const MAX_RUNNING = 200;
/** A person waits for Stop: where Codex does not answer, the processes are ended without it. */
const RUNNING_TIMEOUT_MS = 2_000;

export function createTurnOperations(link: Requester, protection: Protection): TurnOperations {
  const ask = createAsk(link);
  const turnIn = (value: unknown) => readTurnId(link.dialect(), value);
  const last = createLastOverrides();
  const defaultsFor = createDefaults(link);

  return {
    async startTurn({ threadId, message, settings, applied }, onStarted) {
      const hasReset = settings.reset_settings.length > 0;
      const defaults = hasReset ? await defaultsFor(settings.model) : NO_DEFAULTS;
      const start = async (hasProfiles: boolean) => {
        const overrides = turnOverrides(settings, applied, hasProfiles, defaults);
        // A Codex without profiles is an old one: not all of those tell when somebody else changes a setting.
        const isRepeated = hasProfiles && last.take(applied, overrides);
        const answer = await ask('turn/start', turnStartParams(threadId, message, isRepeated ? {} : overrides), {
          timeoutMs: TURN_TIMEOUT_MS,
          refusals: ['stale'],
          onResult(value) {
            const turnId = turnIn(value);
            if (turnId !== null) onStarted(turnId);
          },
        });
        if (answer.ok) last.keep(applied, overrides);
        return answer;
      };
      const first = await start(protection.hasProfiles());
      // A thread that an earlier version of ours loaded into this Codex has no profiles until it is loaded again.
      const answer = !first.ok && isUndefinedProfile(first.error) ? await start(false) : first;
      return answer.ok ? ok(turnIn(answer.value)) : answer;
    },
    async steerTurn(threadId, turnId, message) {
      const answer = await ask('turn/steer', turnSteerParams(threadId, turnId, message), {
        refusals: ['unknown_method', 'not_steerable', 'no_active_turn', 'stale'],
      });
      return answer.ok ? ok(readSteeredId(link.dialect(), answer.value) ?? turnId) : answer;
    },
    async interruptTurn(threadId, turnId) {
      const interrupt = (id: string) => link.request('turn/interrupt', { threadId, turnId: id });
      const first = await interrupt(codexTurnId(turnId));
      // A turn ended and the next one began meanwhile: whoever stops means the one that runs.
      const running = first.ok ? null : runningTurnIn(first.error);
      const answer = running === null ? first : await interrupt(running);
      return answer.ok ? ok(null) : { ok: false, error: readRefusal(answer.error, ['no_active_turn', 'stale']) };
    },
    async startReview(threadId, target) {
      const answer = await ask('review/start', { threadId, target, delivery: 'inline' }, { refusals: ['stale'] });
      return answer.ok ? ok(turnIn(answer.value) ?? '') : answer;
    },
    async listRunningCommands(threadId) {
      const answer = await ask(
        'thread/backgroundTerminals/list',
        { threadId, limit: MAX_RUNNING },
        { refusals: ['unknown_method'], timeoutMs: RUNNING_TIMEOUT_MS },
      );
      return readAnswer('thread/backgroundTerminals/list', answer, readRunning);
    },
    async killCommand(threadId, processId) {
      const answer = await ask(
        'thread/backgroundTerminals/terminate',
        { threadId, processId },
        { refusals: ['unknown_method'], timeoutMs: RUNNING_TIMEOUT_MS },
      );
      return answer.ok ? ok(readKilled(answer.value)) : answer;
    },
    runShellCommand: async (threadId, command) =>
      done(await ask('thread/shellCommand', { threadId, command, timeoutMs: SHELL_TIMEOUT_MS })),
  };
}

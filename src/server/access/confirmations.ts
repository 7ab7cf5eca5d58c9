/**
 * The second confirmation of what makes an agent or a program freer. A first call is refused with a one-time challenge for exactly that
 * change; the same caller repeats the call with it, and with the password where one is set. A program's call is confirmed
 * by a person's terminal, over the control socket, instead.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Confirm, ConfirmationDetails } from '../../contract/access.ts';
import { type Failure, fail, ok, type Result } from '../../contract/result.ts';
import type { Caller } from '../../core/access/caller.ts';
import { describeSteps, type Step } from '../../core/access/step-up.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import type { Password } from './password.ts';

export interface StepUp {
  readonly caller: Caller;
  readonly steps: readonly Step[];
  /** The whole call but `confirm`: another one needs another confirmation. */
  readonly change: unknown;
  readonly confirm: Confirm | undefined;
}

export interface Confirmations {
  /** Ok without steps, and with a fresh confirmation of exactly this change. */
  require(step: StepUp): Promise<Result<null>>;
  /** Called for a process that was found to be a person's. False: there is no such challenge of a token. */
  confirmAtTerminal(id: string): boolean;
}

/** Long enough to read and to look for a password, short enough that it is still what the person had in mind. */
const CHALLENGE_MS = 5 * 60_000;
/** Dialogs of one person that were opened and left; the oldest gives way. */
const MAX_CHALLENGES = 50;

interface Challenge {
  readonly id: string;
  readonly caller: string;
  readonly fingerprint: string;
  readonly expiresMs: number;
  readonly isOfToken: boolean;
  isAtTerminal: boolean;
}

export function createConfirmations(options: {
  readonly password: Password;
  readonly clock: Clock;
  readonly log: Logger;
}): Confirmations {
  const { password, clock, log } = options;
  let challenges: Challenge[] = [];

  const refused = (step: StepUp, challenge: Challenge, needsPassword: boolean, problem?: string): Failure => {
    const { title, button, means } = describeSteps(step.steps);
    const details: ConfirmationDetails = {
      confirm: challenge.id,
      acts: step.steps.map(({ act }) => act),
      title,
      button,
      means: [...means],
      needs_password: needsPassword,
      ...(problem !== undefined && { problem }),
    };
    const how = challenge.isOfToken
      ? 'a person has to confirm it from a terminal of their own: run the command there'
      : 'repeat the call with confirm.id';
    return { code: 'confirmation_required', message: `${title} ${means.join(' ')} To go on, ${how}`, details };
  };

  const ask = (step: StepUp, fingerprint: string): Challenge => {
    const challenge: Challenge = {
      id: randomBytes(16).toString('hex'),
      caller: keyOf(step.caller),
      fingerprint,
      expiresMs: clock.monotonicMs() + CHALLENGE_MS,
      isOfToken: step.caller.kind === 'token',
      isAtTerminal: false,
    };
    challenges = [...challenges, challenge].slice(-MAX_CHALLENGES);
    return challenge;
  };

  return {
    async require(step) {
      if (step.steps.length === 0) return ok(null);
      challenges = challenges.filter(({ expiresMs }) => expiresMs > clock.monotonicMs());
      const fingerprint = fingerprintOf(step);
      const given = challenges.find(
        (one) => one.id === step.confirm?.id && one.caller === keyOf(step.caller) && one.fingerprint === fingerprint,
      );
      const isTerminal = given?.isOfToken === true;
      const needsPassword = !isTerminal && (await password.isSet());
      if (given === undefined || (isTerminal && !given.isAtTerminal)) {
        return { ok: false, error: refused(step, given ?? ask(step, fingerprint), needsPassword) };
      }
      if (needsPassword) {
        const text = step.confirm?.password;
        if (text === undefined) return { ok: false, error: refused(step, given, true) };
        const checked = await password.check(text);
        if (!checked.ok)
          return checked.error.code === 'unauthorized'
            ? { ok: false, error: refused(step, given, true, checked.error.message) }
            : checked;
      }
      // Used up also by a call that came while the password was checked.
      if (!challenges.includes(given)) return fail('conflict', 'this confirmation was used already');
      challenges = challenges.filter((one) => one !== given);
      log.info({ acts: step.steps.map(({ act }) => act), caller: step.caller.kind }, 'confirmed by a person');
      return ok(null);
    },
    confirmAtTerminal(id) {
      const challenge = challenges.find((one) => one.id === id && one.isOfToken);
      if (challenge !== undefined) challenge.isAtTerminal = true;
      return challenge !== undefined;
    },
  };
}

const keyOf = (caller: Caller): string => (caller.kind === 'anonymous' ? 'anonymous' : `${caller.kind}:${caller.id}`);

function fingerprintOf({ steps, change }: StepUp): string {
  return createHash('sha256')
    .update(JSON.stringify([steps, change]))
    .digest('hex');
}

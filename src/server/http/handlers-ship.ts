/**
 * Route id → service call, for shipping work. A session acts at once; a token only with the confirmation of a person at a terminal. What the
 * repository would run is confirmed once, by whoever saw it: the page shows it in the dialog, a program has to name its hash.
 */
import type { Confirm } from '../../contract/access.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { SHIP_ROUTES } from '../../contract/routes-ship.ts';
import type { ShipAction, ShipRun } from '../../contract/ship.ts';
import { stepsOfForce, stepsOfPrograms, stepsOfShip } from '../../core/access/step-up.ts';
import type { Caller } from '../caller.ts';
import type { HandlersFor, Services } from './services.ts';

interface Asked {
  readonly id: string;
  readonly programs?: string | undefined;
  readonly confirm?: Confirm | undefined;
}

export function shipHandlers({ ship, access, registry }: Services): HandlersFor<typeof SHIP_ROUTES> {
  const known = (id: string): Result<null> =>
    registry.isKnown(id) ? ok(null) : fail('unknown_conversation', `there is no conversation ${id}`);

  /** Asks what has to be asked, keeps the trust that was given, and starts the action. */
  const perform = async <T extends Asked>(
    action: ShipAction,
    caller: Caller,
    asked: T,
    start: (asked: T, programs: string) => Promise<Result<ShipRun>>,
    isForced = false,
  ): Promise<Result<{ run: ShipRun }>> => {
    const isKnown = known(asked.id);
    if (!isKnown.ok) return isKnown;
    const found = await ship.programs(asked.id);
    if (!found.ok) return found;
    const { items, hash, is_trusted: isTrusted } = found.value;
    if (asked.programs !== undefined && asked.programs !== hash)
      return fail('stale', 'what this repository would run has changed: look at it again', { programs: hash });
    const isPerson = caller.kind === 'session';
    // A terminal that confirms everything it is asked has not seen the names.
    if (!isTrusted && !isPerson && asked.programs === undefined)
      return fail(
        'confirmation_required',
        `this repository would run ${items.length} programs and settings of its own: look at them, then repeat the call with their hash`,
        { acts: ['run_programs'], programs: hash, items },
      );
    const { confirm, ...change } = asked;
    const steps = [
      ...(isPerson ? [] : stepsOfShip(action)),
      ...(isTrusted ? [] : stepsOfPrograms(items, hash)),
      ...(isForced ? stepsOfForce() : []),
    ];
    const confirmed = await access.confirmations.require({ caller, steps, change: [action, change, hash], confirm });
    if (!confirmed.ok) return confirmed;
    const trusted = isTrusted ? ok(null) : await ship.trust(asked.id, hash);
    if (!trusted.ok) return trusted;
    const run = await start(asked, hash);
    return run.ok ? ok({ run: run.value }) : run;
  };

  return {
    async readShip({ id }) {
      const isKnown = known(id);
      return isKnown.ok ? ship.read(id) : isKnown;
    },
    async suggestCommit({ id, what }) {
      const message = await ship.suggest(id, what);
      return message.ok ? ok({ message: message.value }) : message;
    },
    async draftPullRequest({ id }) {
      const draft = await ship.draft(id);
      return draft.ok ? ok({ draft: draft.value }) : draft;
    },
    async readShipRun({ id, after }, _caller, signal) {
      const run = await ship.run(id, after, signal);
      return run.ok ? ok({ run: run.value }) : run;
    },
    async cancelShipRun({ id, run, confirm }, caller) {
      const isKnown = known(id);
      if (!isKnown.ok) return isKnown;
      const steps = caller.kind === 'session' ? [] : stepsOfShip('cancel');
      const confirmed = await access.confirmations.require({
        caller,
        steps,
        change: ['cancelShipRun', id, run],
        confirm,
      });
      if (!confirmed.ok) return confirmed;
      const cancelled = await ship.cancel(id, run);
      return cancelled.ok ? ok({ run: cancelled.value }) : cancelled;
    },
    commitChanges: (input, caller) =>
      perform('commit', caller, input, ({ id, ...request }, hash) => ship.commit(id, request, hash)),
    createBranch: (input, caller) =>
      perform('branch', caller, input, ({ id, ...request }, hash) => ship.branch(id, request, hash)),
    switchBranch: (input, caller) =>
      perform('switch', caller, input, ({ id, ...request }, hash) => ship.switch(id, request, hash)),
    pullChanges: (input, caller) => perform('pull', caller, input, ({ id, mode }, hash) => ship.pull(id, mode, hash)),
    pushChanges: (input, caller) =>
      perform(
        'push',
        caller,
        input,
        ({ id, ...request }, hash) => ship.push(id, request, hash),
        input.force_with_lease,
      ),
    openPullRequest: (input, caller) =>
      perform('pull_request', caller, input, ({ id, ...request }, hash) => ship.pullRequest(id, request, hash)),
  };
}

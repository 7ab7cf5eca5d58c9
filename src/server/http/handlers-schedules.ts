/** Route id → service call, for schedules. A session changes them at once; a token only with the confirmation of a person at a terminal. */
import type { Confirm } from '../../contract/access.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { SCHEDULE_ROUTES } from '../../contract/routes-schedules.ts';
import type { ScheduleTarget } from '../../contract/schedules.ts';
import { stepsOfSchedule } from '../../core/access/step-up.ts';
import { expandPath } from '../../node/path-kind.ts';
import type { Caller } from '../caller.ts';
import type { HandlersFor, Services } from './services.ts';

type Kind = Parameters<typeof stepsOfSchedule>[0];

export function scheduleHandlers({ schedules, access, registry }: Services): HandlersFor<typeof SCHEDULE_ROUTES> {
  /** `change`: all that was asked for, so that a confirmation holds for exactly this. */
  const mayChange = (
    caller: Caller,
    kind: Kind,
    change: unknown,
    { text = null, confirm }: { readonly text?: string | null; readonly confirm?: Confirm | undefined },
  ): Promise<Result<null>> => {
    const steps = caller.kind === 'session' ? [] : stepsOfSchedule(kind, text);
    return access.confirmations.require({ caller, steps, change: [`${kind}Schedule`, change], confirm });
  };
  const checkTarget = (target: ScheduleTarget): Result<ScheduleTarget> => {
    if (target.kind === 'conversation')
      return registry.isKnown(target.conversation_id)
        ? ok(target)
        : fail('unknown_conversation', `there is no conversation ${target.conversation_id}`);
    const cwd = expandPath(target.cwd);
    return cwd === null
      ? fail('invalid_request', 'give an absolute path, or one that begins with ~/')
      : ok({ kind: 'directory', cwd });
  };

  return {
    listSchedules: async () => ok({ schedules: [...(await schedules.list())] }),
    async addSchedule({ confirm, ...input }, caller) {
      const target = checkTarget(input.target);
      if (!target.ok) return target;
      const when = await schedules.read(input.when);
      if (!when.ok) return when;
      const allowed = await mayChange(caller, 'add', input, { text: input.text, confirm });
      if (!allowed.ok) return allowed;
      const added = await (await schedules.open()).add({ ...input, target: target.value, when: when.value });
      return added.ok ? ok({ schedule: added.value }) : added;
    },
    previewSchedule: async ({ when }) => ok(await schedules.preview(when)),
    async changeSchedule({ schedule_id: id, paused, when, target, confirm, ...rest }, caller) {
      const aim = target === undefined ? ok(undefined) : checkTarget(target);
      if (!aim.ok) return aim;
      const read = when === undefined ? ok(undefined) : await schedules.read(when);
      if (!read.ok) return read;
      const change = { id, paused, when, target, ...rest };
      const allowed = await mayChange(caller, 'change', change, { text: rest.text ?? null, confirm });
      if (!allowed.ok) return allowed;
      const opened = await schedules.open();
      const given = Object.entries({ ...rest, target: aim.value, when: read.value }).filter(
        ([, one]) => one !== undefined,
      );
      const changed = given.length === 0 ? null : await opened.change(id, Object.fromEntries(given));
      if (changed?.ok === false) return changed;
      const last =
        paused === undefined ? (changed ?? (await opened.change(id, {}))) : await opened.setPaused(id, paused);
      return last.ok ? ok({ schedule: last.value }) : last;
    },
    async runSchedule({ schedule_id: id, confirm }, caller) {
      const allowed = await mayChange(caller, 'run', id, { confirm });
      if (!allowed.ok) return allowed;
      const run = await (await schedules.open()).runNow(id);
      return run.ok ? ok({ schedule: run.value }) : run;
    },
    async removeSchedule({ schedule_id: id, confirm }, caller) {
      const allowed = await mayChange(caller, 'remove', id, { confirm });
      if (!allowed.ok) return allowed;
      const removed = await (await schedules.open()).remove(id);
      return removed.ok ? ok({ ok: true }) : removed;
    },
  };
}

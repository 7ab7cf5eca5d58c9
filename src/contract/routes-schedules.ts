/** Routes of schedules. Whoever reads may see them; making, changing and running one is a person's. */
import { z } from 'zod';
import { Confirm } from './access.ts';
import { base, Ok, type RouteDef } from './route.ts';
import { ScheduleId, ScheduleInput, ScheduleWhen, ShownSchedule } from './schedules.ts';

const at = `${base}/schedules`;
const params = z.object({ schedule_id: ScheduleId });
const confirm = Confirm.optional();
const One = z.object({ schedule: ShownSchedule });

/** Words such as "every weekday at 9:00"; `GET /schedules` lists what they became. */
const Words = z.object({
  kind: z.literal('words'),
  words: z.string().min(1).max(200),
  time_zone: z.string().min(1).max(64),
});
const when = z.union([ScheduleWhen, Words]);

export const SCHEDULE_ROUTES = {
  listSchedules: {
    method: 'GET',
    path: at,
    scope: 'read',
    summary: 'Messages that are sent at a time, with their next times and what became of the last ones',
    output: z.object({ schedules: z.array(ShownSchedule) }),
    errors: [],
  },
  addSchedule: {
    method: 'POST',
    path: at,
    scope: 'operate',
    summary: 'Sends a message at a time, once or again and again. A person only',
    body: ScheduleInput.extend({ when, confirm }),
    output: One,
    errors: ['conflict', 'confirmation_required', 'storage_full', 'storage_failed', 'unknown_conversation'],
  },
  previewSchedule: {
    method: 'POST',
    path: `${at}/preview`,
    scope: 'read',
    summary: 'What words for a time mean, and the next three times',
    body: z.object({ when }),
    output: z.object({
      /** Null where the words are not understood, or the time never comes; `problem` says so. */
      when: ScheduleWhen.nullable(),
      next: z.array(z.string()).max(3),
      problem: z.string().nullable(),
    }),
    errors: [],
  },
  changeSchedule: {
    method: 'PATCH',
    path: `${at}/{schedule_id}`,
    scope: 'operate',
    summary: 'Changes, pauses or resumes a schedule; absent fields stay as they are. A person only',
    params,
    body: z.object({
      ...ScheduleInput.omit({ when: true, missed: true, busy: true, max_runs: true, stop_on_failure: true }).partial()
        .shape,
      when: when.optional(),
      missed: ScheduleInput.shape.missed.unwrap().optional(),
      busy: ScheduleInput.shape.busy.unwrap().optional(),
      max_runs: ScheduleInput.shape.max_runs.unwrap().optional(),
      stop_on_failure: ScheduleInput.shape.stop_on_failure.unwrap().optional(),
      paused: z.boolean().optional(),
      confirm,
    }),
    output: One,
    errors: [
      'not_found',
      'conflict',
      'confirmation_required',
      'storage_full',
      'storage_failed',
      'unknown_conversation',
    ],
  },
  runSchedule: {
    method: 'POST',
    path: `${at}/{schedule_id}/run`,
    scope: 'operate',
    summary: 'Sends the message of a schedule now, beside its times. A person only',
    params,
    body: z.object({ confirm }),
    output: One,
    errors: ['not_found', 'conflict', 'codex_unavailable', 'confirmation_required', 'storage_full', 'storage_failed'],
  },
  removeSchedule: {
    method: 'DELETE',
    path: `${at}/{schedule_id}`,
    scope: 'operate',
    summary: 'Removes a schedule. A person only',
    params,
    body: z.object({ confirm }),
    output: Ok,
    errors: ['not_found', 'confirmation_required', 'storage_full', 'storage_failed'],
  },
} as const satisfies Record<string, RouteDef>;

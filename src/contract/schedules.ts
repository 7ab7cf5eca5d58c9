/** Schedules: a message of a person that is sent at a time, once or again and again. */
import { z } from 'zod';
import { ClientMessageId, ConversationId } from './ids.ts';

export const ScheduleId = z.string().regex(/^sch_[0-9a-f]{16}$/, 'expected sch_ and 16 hex digits');
export type ScheduleId = z.infer<typeof ScheduleId>;

export const ScheduleWhen = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('once'), at: z.iso.datetime({ offset: true }) }),
  z.object({
    kind: z.literal('cron'),
    /** Five fields; a sixth one before them would be seconds, which is more often than a model should be asked. */
    cron: z.string().min(9).max(200),
    /** An IANA name, such as `Europe/Berlin`. */
    time_zone: z.string().min(1).max(64),
  }),
]);
export type ScheduleWhen = z.infer<typeof ScheduleWhen>;

export const ScheduleTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('conversation'), conversation_id: ConversationId }),
  /** A new conversation in this directory for each run. */
  z.object({ kind: z.literal('directory'), cwd: z.string().min(1).max(4096) }),
]);
export type ScheduleTarget = z.infer<typeof ScheduleTarget>;

/** What was due and could not run, since the server was off or the machine asleep. once: the newest of what was missed runs. */
const Missed = z.enum(['skip', 'once']);
/** What a run does while a turn of the conversation runs. */
const Busy = z.enum(['queue', 'skip']);

export const ScheduleRun = z.object({
  /** The time for which it was planned. */
  due: z.string(),
  /** When the server acted on it. */
  at: z.string(),
  outcome: z.enum(['sent', 'skipped_busy', 'missed', 'failed']),
  /** Why it failed, or how many runs were missed. */
  note: z.string().nullable(),
  conversation_id: ConversationId.nullable(),
  client_message_id: ClientMessageId.nullable(),
});
export type ScheduleRun = z.infer<typeof ScheduleRun>;

/** What a person chooses. */
export const ScheduleInput = z.object({
  name: z.string().trim().min(1).max(100),
  text: z.string().min(1).max(100_000),
  target: ScheduleTarget,
  when: ScheduleWhen,
  missed: Missed.default('skip'),
  busy: Busy.default('queue'),
  /** Ends after so many runs; null for no limit. */
  max_runs: z.number().int().min(1).max(100_000).nullable().default(null),
  /** Pauses when a turn that it started fails. */
  stop_on_failure: z.boolean().default(true),
});
export type ScheduleInput = z.infer<typeof ScheduleInput>;

/** As it is stored. */
export const Schedule = ScheduleInput.extend({
  schedule_id: ScheduleId,
  state: z.enum(['active', 'paused', 'ended']),
  /** Why it is paused or ended, in words; null for a person's own pause. */
  reason: z.string().nullable(),
  created_at: z.string(),
  /** Nothing that was due up to here runs any more: unix milliseconds. */
  handled_until: z.number(),
  runs: z.number().int(),
  /** The newest first. */
  history: z.array(ScheduleRun).max(50),
  /** A run that began: it is finished after a crash, with the same id of its message. */
  pending: z
    .object({ due: z.number(), client_message_id: ClientMessageId, conversation_id: ConversationId.nullable() })
    .nullable(),
});
export type Schedule = z.infer<typeof Schedule>;

/** As it is shown. */
export const ShownSchedule = Schedule.omit({ handled_until: true, pending: true }).extend({
  /** The next three times, in UTC. */
  next: z.array(z.string()).max(3),
});
export type ShownSchedule = z.infer<typeof ShownSchedule>;

export const MAX_SCHEDULES = 200;
export const ScheduleFile = z.object({ version: z.literal(1), schedules: z.array(Schedule).max(MAX_SCHEDULES) });

/** What will become of an event, in words for a person. */
import type { Plan } from '../../core/events/plan-delivery.ts';

const MODES: Readonly<Record<Plan['mode'], string>> = {
  queue_for_next_turn: 'It is shown in the transcript and goes along with the next message.',
  append_to_thread: "It is put into the thread's history, where the next turn reads it.",
  auto_turn: 'It starts a turn by itself, as soon as nothing else runs.',
  turn_steer: 'It goes into the turn that runs now.',
  notify_only: 'It is shown to people and never told to the model.',
  drop: 'It is dropped: stored in the ledger, shown as dropped, and told to nobody.',
};

const REASONS: Readonly<Record<string, string>> = {
  not_authenticated: 'Its producer is not authenticated, so it may neither steer nor start a turn.',
  not_allowed: 'Its source is on no allow-list, so it may neither steer nor start a turn.',
  hop_limit: 'Too many automatic turns have followed from one another: a person has to speak first.',
  cannot_steer: 'This Codex cannot be steered.',
  cannot_append: "This Codex takes nothing into a thread's history.",
  archived: 'The conversation is archived: it is not brought back but by a person.',
  turned_off: 'Events are turned off for this conversation; it waits until they are on again.',
  other_turn: 'It is about another turn than the one that runs, so it does not steer that one.',
  turn_running: 'A turn is running; it waits for its end.',
  thread_not_loaded: 'The thread is not loaded; it waits until it is resumed.',
};

export function describePlan(plan: Plan): string {
  const why = plan.reason === undefined ? undefined : REASONS[plan.reason];
  return why === undefined ? MODES[plan.mode] : `${MODES[plan.mode]} ${why}`;
}

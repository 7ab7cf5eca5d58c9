/** `schedules list|add|run|pause|resume|remove`: thin calls over the client. */
import { resolve } from 'node:path';
import { fail, ok, type Result } from '../contract/result.ts';
import type { RouteCall } from '../contract/routes.ts';
import type { ScheduleTarget, ShownSchedule } from '../contract/schedules.ts';
import { printableLine } from '../core/text/printable.ts';
import type { Client } from './client.ts';
import { confirmedCall } from './confirmed-call.ts';
import { localTime } from './local-time.ts';
import { type Output, styled } from './output.ts';
import { pickConversation } from './pick-conversation.ts';

export interface AddOptions {
  readonly conversation?: string;
  readonly dir?: string;
  readonly name?: string;
  readonly zone?: string;
  readonly missed?: 'skip' | 'once';
  readonly busy?: 'queue' | 'skip';
  readonly maxRuns?: string;
  readonly keepGoing?: boolean;
}

interface Here {
  readonly out: Output;
  readonly client: Client;
  readonly home: string;
}

const MAX_CHARS = 200;
const NAME_CHARS = 60;
/** Shorter beginnings of an id would be typed by mistake. */
const MIN_PREFIX = 4;

export async function listSchedules(out: Output, client: Client): Promise<number> {
  const answer = await client.call('listSchedules', {});
  if (!answer.ok) return out.fail(answer.error);
  const { schedules } = answer.value;
  if (out.isJson) await out.json({ schedules });
  else if (schedules.length === 0) out.say('no schedules; `signalbox schedules add` makes one');
  else for (const one of schedules) await printOne(out, one);
  return 0;
}

export async function addSchedule(
  { out, client, home }: Here,
  asked: { readonly when: string; readonly message: string; readonly options: AddOptions },
): Promise<number> {
  const { options, message } = asked;
  if (options.conversation !== undefined && options.dir !== undefined)
    return out.fail({ code: 'invalid_request', message: 'give --conversation or --dir, not both' });
  const target = await targetOf(client, options);
  if (!target.ok) return out.fail(target.error);
  const maxRuns = options.maxRuns === undefined ? null : Number(options.maxRuns);
  if (maxRuns !== null && !(Number.isInteger(maxRuns) && maxRuns > 0))
    return out.fail({ code: 'invalid_request', message: '--max-runs takes a whole number above 0' });
  const call: RouteCall<'addSchedule'> = {
    name: options.name ?? (printableLine(message, NAME_CHARS).trim() || 'Message'),
    text: message,
    target: target.value,
    when: {
      kind: 'words',
      words: asked.when,
      time_zone: options.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
    ...(options.missed !== undefined && { missed: options.missed }),
    ...(options.busy !== undefined && { busy: options.busy }),
    max_runs: maxRuns,
    stop_on_failure: options.keepGoing !== true,
  };
  return tell(out, await confirmedCall(client, home, 'addSchedule', call));
}

async function targetOf(client: Client, { conversation, dir }: AddOptions): Promise<Result<ScheduleTarget>> {
  if (conversation === undefined) return ok({ kind: 'directory', cwd: resolve(dir ?? '.') });
  const picked = await pickConversation(client, conversation);
  return picked.ok ? ok({ kind: 'conversation', conversation_id: picked.value }) : picked;
}

export async function actOnSchedule(
  { out, client, home }: Here,
  act: 'run' | 'pause' | 'resume' | 'remove',
  words: string,
): Promise<number> {
  const found = await pickSchedule(client, words);
  if (!found.ok) return out.fail(found.error);
  const { schedule_id } = found.value;
  if (act === 'run') return tell(out, await confirmedCall(client, home, 'runSchedule', { schedule_id }));
  if (act !== 'remove')
    return tell(out, await confirmedCall(client, home, 'changeSchedule', { schedule_id, paused: act === 'pause' }));
  const removed = await confirmedCall(client, home, 'removeSchedule', { schedule_id });
  if (!removed.ok) return out.fail(removed.error);
  if (out.isJson) await out.json(removed.value);
  else out.say(`removed ${printableLine(found.value.name, MAX_CHARS)}`);
  return 0;
}

async function pickSchedule(client: Client, words: string): Promise<Result<ShownSchedule>> {
  const answer = await client.call('listSchedules', {});
  if (!answer.ok) return answer;
  const { schedules } = answer.value;
  const wanted = words.trim().toLowerCase();
  const rules: ((one: ShownSchedule) => boolean)[] = [
    ({ schedule_id: id }) => id === wanted,
    ({ name }) => name.toLowerCase() === wanted,
    ({ schedule_id: id }) =>
      wanted.length >= MIN_PREFIX && id.slice('sch_'.length).startsWith(wanted.replace(/^sch_/, '')),
    ({ name }) => wanted.length >= MIN_PREFIX && name.toLowerCase().startsWith(wanted),
  ];
  for (const rule of rules) {
    const hits = schedules.filter(rule);
    const [only] = hits;
    if (hits.length > 1) return fail('invalid_request', `${words} can mean ${hits.length} schedules: give the id`);
    if (only !== undefined) return ok(only);
  }
  return fail('not_found', `there is no schedule ${words}: see \`signalbox schedules list\``);
}

async function tell(out: Output, answer: Result<{ readonly schedule: ShownSchedule }>): Promise<number> {
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json(answer.value);
  else await printOne(out, answer.value.schedule);
  return 0;
}

async function printOne(out: Output, one: ShownSchedule): Promise<void> {
  const [next] = one.next;
  const [last] = one.history;
  const stand = one.state === 'active' ? `next ${next === undefined ? 'never' : localTime(next)}` : one.state;
  await out.print(
    styled('bold', printableLine(one.name, MAX_CHARS)),
    styled('dim', ` ${one.schedule_id}`),
    `  ${whenWords(one)}  `,
    styled(one.state === 'active' ? 'green' : 'yellow', stand),
  );
  if (one.reason !== null) await out.print(styled('yellow', `  ${printableLine(one.reason, MAX_CHARS)}`));
  if (last !== undefined) {
    const note = last.note === null ? '' : `: ${last.note}`;
    const words = printableLine(`last ${localTime(last.at)} ${last.outcome.replace('_', ', ')}${note}`, MAX_CHARS);
    await out.print(styled('dim', `  ${words}`));
  }
}

const whenWords = ({ when }: ShownSchedule): string =>
  when.kind === 'once' ? localTime(when.at) : printableLine(`${when.cron} (${when.time_zone})`, MAX_CHARS);

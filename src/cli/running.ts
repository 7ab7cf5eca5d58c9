/** `ps`: lists what runs for conversations, and ends it. */
import type { RunningCommand } from '../contract/running.ts';
import { printableLine } from '../core/text/printable.ts';
import type { Client } from './client.ts';
import { type Output, type Part, type Style, styled } from './output.ts';
import { pickConversation } from './pick-conversation.ts';

export interface PsOptions {
  readonly end?: boolean;
}

const COLORS: Readonly<Record<RunningCommand['state'], Style>> = {
  running: 'green',
  ending: 'yellow',
  killing: 'yellow',
  not_ended: 'red',
};

export async function listRunning(
  out: Output,
  client: Client,
  words: string | undefined,
  { end }: PsOptions,
): Promise<number> {
  if (end === true && words === undefined)
    return out.fail({ code: 'invalid_request', message: '--end needs a conversation' });
  const id = words === undefined ? null : await pickConversation(client, words);
  if (id !== null && !id.ok) return out.fail(id.error);
  if (end === true && id !== null) return endAll(out, client, id.value);
  const answer = await client.call('listRunning', id === null ? {} : { conversation_id: id.value });
  if (!answer.ok) return out.fail(answer.error);
  const { running } = answer.value;
  if (out.isJson) await out.json({ running });
  else {
    await printRows(out, running);
    if (running.length === 0) out.say('nothing runs');
  }
  return 0;
}

async function endAll(out: Output, client: Client, id: string): Promise<number> {
  const answer = await client.call('endRunning', { conversation_id: id });
  if (!answer.ok) return out.fail(answer.error);
  const { ended, left } = answer.value;
  if (out.isJson) await out.json(answer.value);
  else {
    out.say(ended === 0 && left.length === 0 ? 'nothing ran' : `ended ${ended}`);
    if (left.length > 0) out.say(styled('red', 'these could not be ended and still run:'));
    await printRows(out, left);
  }
  return left.length === 0 ? 0 : 1;
}

async function printRows(out: Output, running: readonly RunningCommand[]): Promise<void> {
  for (const one of running) await out.print(...renderRow(one));
}

function renderRow({ conversation_id, kind, state, command, processes, process_count }: RunningCommand): Part[] {
  const more = process_count > processes.length ? ' …' : '';
  return [
    conversation_id,
    '  ',
    kind.padEnd(8),
    ' ',
    styled(COLORS[state], state.padEnd(9)),
    ' ',
    printableLine(command, 80),
    styled('dim', `  ${processes.map((one) => one.pid).join(' ')}${more}`),
  ];
}

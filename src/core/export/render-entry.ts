/** A transcript entry as a heading and blocks of text: what `show` and every export format is made from. */

import type { AnsweredQuestion, Entry, EntryOf } from '../../contract/entry.ts';
import {
  type Deliveries,
  deliveryOf,
  gatherDeliveries,
  type MessageDelivery,
} from '../conversations/reduce-deliveries.ts';
import { speakerOf } from '../events/render-speaker.ts';

export type Block =
  /** `markdown`: prose that a model wrote, and that is meant to be formatted. */
  | { readonly kind: 'prose' | 'markdown'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string };

export interface Described {
  readonly heading: string;
  readonly blocks: readonly Block[];
}

/** Null for entries that only count. `deliveries` are those of the entries around it: a message says at itself what became of it. */
export function describeEntry(entry: Entry, deliveries: Deliveries = NO_DELIVERIES): Described | null {
  switch (entry.role) {
    case 'user': {
      const images = (entry.images ?? []).map((image) => `[image: ${shortImage(image)}]`);
      const speaker =
        speakerOf(entry.client_message_id) === 'event'
          ? 'Signalbox, for an event'
          : entry.from === undefined
            ? 'You'
            : `You, in ${entry.from}`;
      const delivery = deliveryOf(entry, deliveries);
      const isLost = delivery.state === 'not_delivered';
      return described(
        isLost ? `${speaker} (not delivered)` : speaker,
        prose([entry.text, ...images].join('\n')),
        prose(isLost ? notDeliveredNote(delivery) : ''),
      );
    }
    case 'assistant':
      return described(`Codex${ending(entry.status)}`, markdown(entry.text), ...questions(entry.questions ?? []));
    case 'reasoning':
      return described('Reasoning', markdown(entry.text));
    case 'plan':
      return described('Plan', markdown(entry.text ?? ''), prose(entry.steps.map(renderStep).join('\n')));
    case 'command':
      return described(
        `Command${ending(entry.status)}${exit(entry.exit_code)}`,
        code('sh', entry.command),
        code('', entry.output),
      );
    case 'diff':
      return described(`Changes${entry.status === 'applied' ? '' : ` (${entry.status})`}`, code('diff', entry.diff));
    case 'approval':
      if (entry.questions !== undefined) return questionsAndAnswers(entry, entry.questions);
      return described(
        `Approval ${entry.status}`,
        prose([entry.title, entry.reason ?? ''].filter(Boolean).join('\n')),
        code('sh', entry.command ?? ''),
        code('diff', entry.diff ?? ''),
      );
    case 'shell_input':
      return described('Your command', code('sh', entry.command));
    case 'shell_output':
      return described(
        `Output of your command${exit(entry.exit_code)}`,
        code('', entry.stdout),
        code('', entry.stderr),
      );
    case 'tool':
      return described(
        `Tool ${[entry.server, entry.name].filter(Boolean).join('.')}${ending(entry.status)}`,
        code('', entry.input ?? ''),
        code('', entry.output ?? ''),
        prose(entry.error ?? ''),
      );
    case 'status':
      return entry.turn_status === 'completed' ? null : described(`Turn ${entry.turn_status}`);
    case 'delivery':
    case 'token_usage':
      return null;
    case 'error':
      return described('Error', prose(entry.text));
    case 'warning':
      return described('Warning', prose(entry.text));
    case 'board':
      return described(`Board ${entry.num}, ${entry.who} (${entry.kind})`, prose(entry.text));
    case 'note':
      return described(`Note (${entry.kind.replaceAll('_', ' ')})`, prose(entry.text));
    case 'external_event':
      return entry.kind === 'received'
        ? described(`Events from outside (${entry.state})`, prose(entry.events.map(renderEvent).join('\n')))
        : null;
    default:
      return entry satisfies never;
  }
}

const NO_DELIVERIES = gatherDeliveries([], 'part');

function notDeliveredNote({ text = 'Codex does not have this message.', repeated }: MessageDelivery): string {
  return `[Not delivered: ${text}${repeated === 'yes' ? ' Sent again below.' : ''}]`;
}

const prose = (text: string): Block => ({ kind: 'prose', text });
const markdown = (text: string): Block => ({ kind: 'markdown', text });
const code = (language: string, text: string): Block => ({ kind: 'code', language, text });

function described(heading: string, ...blocks: readonly Block[]): Described {
  return { heading, blocks: blocks.filter((block) => block.text.trim() !== '') };
}

const ending = (status: string): string => (status === 'completed' ? '' : ` (${status})`);
const exit = (code: number | null): string => (code === null || code === 0 ? '' : ` (exit ${code})`);

const renderEvent = (event: {
  readonly type: string;
  readonly severity: string;
  readonly title: string;
  readonly summary: string;
}): string => [`${event.severity} ${event.type}: ${event.title}`, event.summary].filter(Boolean).join('\n');

const MARKS = { pending: '[ ]', in_progress: '[~]', completed: '[x]' } as const;
const renderStep = (step: { readonly step: string; readonly status: keyof typeof MARKS }): string =>
  `- ${MARKS[step.status]} ${step.step}`;

function questions(all: readonly { readonly title: string; readonly options: readonly string[] }[]): Block[] {
  return all.map((one) => prose([one.title, ...one.options.map((option) => `- ${option}`)].join('\n')));
}

const ANSWERS = {
  accepted: 'answered',
  declined: 'not answered',
  cancelled: 'not answered',
  expired: 'withdrawn',
} as const;

/** Each question with its answers below it. */
function questionsAndAnswers({ status }: EntryOf<'approval'>, all: readonly AnsweredQuestion[]): Described {
  const blocks = all.map(({ question, answers, is_secret }) => {
    const given = is_secret && status === 'accepted' ? ['(a secret, which is not kept)'] : answers;
    return prose([question, ...given.map((answer) => `→ ${answer}`)].join('\n'));
  });
  return described(`Questions of Codex (${ANSWERS[status]})`, ...blocks);
}

/** A pasted picture is a data URL of megabytes. */
function shortImage(image: { readonly kind: 'url' | 'path'; readonly value: string }): string {
  return image.value.startsWith('data:') ? image.value.slice(0, image.value.indexOf(';')) : image.value;
}

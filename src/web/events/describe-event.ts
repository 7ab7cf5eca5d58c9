/** What the page says of an event: its trust, its state, and the words a person starts from when asking about it. */
import type { EventItem, Severity, Trust } from '../../contract/external-event.ts';
import { en } from '../strings/en.ts';
import { showText } from '../transcript/ansi.ts';
import type { ShownStanding } from '../transcript/event-standings.ts';

/** Mildest first. Spelled out, since the contract's schemas are not part of the page. */
export const SEVERITIES: readonly Severity[] = ['debug', 'info', 'warning', 'error', 'critical'];

/** As the lamp knows it: events use the same colors as everything else. */
export const LAMP_OF: Readonly<Record<Severity, 'off' | 'success' | 'warning' | 'error'>> = {
  debug: 'off',
  info: 'success',
  warning: 'warning',
  error: 'error',
  critical: 'error',
};

export function describeTrust(trust: Trust): string {
  const { authenticated, unauthenticated } = en.events.trust;
  return `${trust.authenticated ? authenticated : unauthenticated} · ${en.events.trust[trust.origin]}`;
}

export function describeStanding(standing: ShownStanding): string {
  const state = en.events.state[standing.state];
  if (standing.reason === undefined) return state;
  const known: Readonly<Record<string, string>> = en.events.reasons;
  return en.events.because(state, known[standing.reason] ?? standing.reason.replaceAll('_', ' '));
}

/** The turn it went along with; null when there was none, or its words are not loaded. */
export function describeTurn({ state, turn }: ShownStanding): string | null {
  return state === 'delivered' && turn !== undefined ? en.events.inTurn(firstWords(turn)) : null;
}

/** Enough to know the message again. */
const MAX_TURN_CHARS = 40;

function firstWords(text: string): string {
  const [line = ''] = text.trim().split('\n');
  const characters = [...showText(line)];
  return characters.length <= MAX_TURN_CHARS ? characters.join('') : `${characters.slice(0, MAX_TURN_CHARS).join('')}…`;
}

const MAX_QUOTED_LINES = 12;

/** Every line of the event's own words is marked as quoted: the person asks, the event only informs. */
export function quoteEvent(event: Pick<EventItem, 'type' | 'title' | 'summary' | 'source' | 'event_id'>): string {
  const words = [event.title, ...event.summary.split(/\r?\n/)].filter((line) => line.trim() !== '');
  const quoted = words.slice(0, MAX_QUOTED_LINES).map((line) => `> ${line}`);
  const head = en.events.quote.head(event.type, event.source.name, event.event_id);
  return [`> ${head}`, ...quoted, '', en.events.quote.wish].join('\n');
}

/** The address, if it is one that may be opened at all. */
export function openableUrl(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  try {
    const url = new URL(text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}

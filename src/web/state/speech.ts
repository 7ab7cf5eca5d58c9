/** What a screen reader is told: finished text only, never each delta. */

import type { ServerFrame } from '../../contract/ui-event.ts';
import { en } from '../strings/en.ts';
import { showText } from '../transcript/ansi.ts';
import type { AppState } from './store.ts';

const MAX_SPOKEN_CHARS = 2_000;

export function spokenBy(state: AppState, frames: readonly ServerFrame[]): string | null {
  let { lastSeq } = state.view;
  const said = frames.flatMap((frame) => {
    if (!('conversation_id' in frame) || frame.conversation_id !== state.openId) return [];
    if (frame.type === 'approval') return [en.speech.approval(showText(frame.approval.title))];
    if (!('entry' in frame) || frame.seq <= lastSeq) return [];
    lastSeq = frame.seq;
    const { entry } = frame;
    if (entry.role === 'assistant' || entry.role === 'error' || entry.role === 'warning') return [entry.text];
    if (entry.role === 'delivery' && entry.state === 'not_delivered')
      return [en.speech.notDelivered(entry.text ?? en.message.notDeliveredWhy)];
    if (entry.role === 'status') return [en.turn[entry.turn_status]];
    return [];
  });
  return said.length === 0 ? null : said.join('\n').slice(0, MAX_SPOKEN_CHARS);
}

/** What a command was for, when Codex recognized it as looking around: then the words matter more than the command. */
import type { EntryOf } from '../../contract/entry.ts';
import { en } from '../strings/en.ts';
import { showText } from './ansi.ts';

type Action = EntryOf<'command'>['actions'][number];

export function describeActions(actions: readonly Action[]): string | null {
  const words = actions.map(describe);
  if (words.length === 0 || words.includes(null)) return null;
  return showText([...new Set(words)].join(' · '));
}

function describe(action: Action): string | null {
  switch (action.type) {
    case 'read':
      return en.transcript.read(action.path ?? action.name ?? action.command ?? '');
    case 'listFiles':
    case 'list_files':
      return en.transcript.list(action.path ?? '.');
    case 'search':
      return en.transcript.search([action.query, action.path].filter(Boolean).join(' · '));
    default:
      return null;
  }
}

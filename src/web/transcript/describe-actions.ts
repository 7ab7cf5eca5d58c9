/** What a command was for, when Codex recognized it as looking around: then the words matter more than the command. */
import type { EntryOf } from '../../contract/entry.ts';
import { en } from '../strings/en.ts';
import { showText } from './ansi.ts';

type Action = EntryOf<'command'>['actions'][number];
type Look = 'read' | 'list' | 'search';

/** Objects of one kind that a line names. */
const MAX_NAMED = 3;

export function isLook(actions: readonly Action[]): boolean {
  return actions.length > 0 && actions.every((action) => lookOf(action) !== null);
}

/** Null for a command that did more than look. `project`: paths below it are named from there on. */
export function describeActions(actions: readonly Action[], project: string): string | null {
  return isLook(actions) ? summarizeLooks([actions], project) : null;
}

/** The looks of several commands: each kind once, with its first objects and how many more there are. */
export function summarizeLooks(commands: readonly (readonly Action[])[], project: string): string {
  const objects: Record<Look, Set<string>> = { read: new Set(), list: new Set(), search: new Set() };
  for (const action of commands.flat()) {
    const look = lookOf(action);
    if (look !== null) objects[look].add(objectOf(action, look, project));
  }
  const parts = (['read', 'list', 'search'] as const).flatMap((look) => {
    const named = [...objects[look]];
    if (named.length === 0) return [];
    const more = named.length - MAX_NAMED;
    const list = named.slice(0, MAX_NAMED).join(', ');
    return [en.transcript[look](more > 0 ? en.transcript.andMore(list, more) : list)];
  });
  return showText(parts.join(' · '));
}

function lookOf(action: Action): Look | null {
  if (action.type === 'read') return 'read';
  if (action.type === 'listFiles' || action.type === 'list_files') return 'list';
  return action.type === 'search' ? 'search' : null;
}

function objectOf(action: Action, look: Look, project: string): string {
  const path = action.path == null ? '' : fromProject(action.path, project);
  if (look === 'read') return path || (action.name ?? action.command ?? '');
  if (look === 'list') return path || '.';
  const query = action.query ?? '';
  return query !== '' && path !== '' ? en.transcript.searchedIn(query, path) : query || path;
}

/** A path below the project from there on; any other as it is. */
export function fromProject(path: string, project: string): string {
  if (path === project) return '.';
  const top = project.endsWith('/') ? project : `${project}/`;
  return project !== '' && path.startsWith(top) ? path.slice(top.length) : path;
}

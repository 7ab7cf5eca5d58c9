/** Which shells are meant by labels, and how a list of them is grouped. For the server, the command line and the page. */
import type { ShellView } from '../../contract/shellspec.ts';

export interface ShellGroup {
  readonly name: string;
  readonly shells: readonly ShellView[];
}

/** The label that marks what Signalbox itself needs. */
const INFRASTRUCTURE = { name: 'signalbox', value: 'infrastructure' } as const;

/** Codex and the pty host, whose descendants count as an agent's. A queue adapter is a part of Signalbox too, and runs no agent. */
export const runsAgents = (labels: Readonly<Record<string, string>>): boolean =>
  isInfrastructure(labels) && labels.app !== 'queue-adapter';

export const isInfrastructure = (labels: Readonly<Record<string, string>>): boolean =>
  labels[INFRASTRUCTURE.name] === INFRASTRUCTURE.value;

/** `app=web,tier`: every part must fit; a part without a value asks only that the label be there. */
export function hasLabels(labels: Readonly<Record<string, string>>, query: string): boolean {
  return query
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .every((part) => {
      const at = part.indexOf('=');
      if (at < 0) return Object.hasOwn(labels, part);
      const name = part.slice(0, at);
      return Object.hasOwn(labels, name) && labels[name] === part.slice(at + 1);
    });
}

const OTHER = 'other';

/** By the first subgroup, those of Signalbox first, then by name; in a group by title. */
export function groupShells(shells: readonly ShellView[]): readonly ShellGroup[] {
  const names = [...new Set(shells.map(groupOf))];
  const groups = names.map((name) => ({
    name,
    shells: shells
      .filter((shell) => groupOf(shell) === name)
      .sort((a, b) => compare(a.title, b.title) || compare(a.id, b.id)),
  }));
  return groups.sort((a, b) => rank(a) - rank(b) || compare(a.name, b.name));
}

export const groupOf = (shell: Pick<ShellView, 'subgroups'>): string => shell.subgroups[0] ?? OTHER;

const rank = (group: ShellGroup): number => {
  if (group.shells.some((shell) => shell.is_infrastructure)) return 0;
  return group.name === OTHER ? 2 : 1;
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** `file#shell` or `file#shell@name` → what a person calls it. Neither a name of a shell nor of another one of it holds `#` or `@`. */
export function titleOf(ref: string, title: string | undefined): string {
  const [name = ref, another] = ref.slice(ref.lastIndexOf('#') + 1).split('@');
  return another === undefined ? (title ?? name) : `${title ?? name} (${another})`;
}

/** What tells shells of the same title apart: the folder and file of their shellspec. Empty for a title that only one shell has. */
export function placesOf(shells: readonly Pick<ShellView, 'id' | 'title' | 'ref'>[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const { title } of shells) counts.set(title, (counts.get(title) ?? 0) + 1);
  const file = (ref: string) => ref.slice(0, ref.lastIndexOf('#')).split('/').slice(-2).join('/');
  return new Map(shells.map(({ id, title, ref }) => [id, (counts.get(title) ?? 0) > 1 ? file(ref) : '']));
}

/** Runs of commands that only looked at something, with the thoughts between them, as one row that can be unfolded. Pure. */
import { isLook } from './describe-actions.ts';
import type { Row } from './rows.ts';

export interface Looks {
  /** In the place of the rows: the key of the fold, followed by the rows themselves where it is unfolded. */
  readonly key: string;
  readonly members: readonly string[];
  readonly isUnfolded: boolean;
}

export interface Folded {
  readonly keys: readonly string[];
  readonly looks: ReadonlyMap<string, Looks>;
}

/** Fewer are shown as they are. */
const MIN_COMMANDS = 2;
const PREFIX = 'looks:';

/** A run is unfolded when one of its rows is in `unfolded`, so that it stays so when rows are added at either end. */
export function foldLooks(
  keys: readonly string[],
  rowOf: (key: string) => Row | undefined,
  unfolded: ReadonlySet<string>,
): Folded {
  const shown: string[] = [];
  const looks = new Map<string, Looks>();
  let run: string[] = [];
  let commands = 0;
  const close = () => {
    // Thoughts at the end belong to what comes next.
    const end = run.findLastIndex((key) => rowOf(key)?.kind === 'entry') + 1;
    const [first] = run;
    if (commands >= MIN_COMMANDS && first !== undefined) {
      const members = run.slice(0, end);
      const isUnfolded = members.some((key) => unfolded.has(key));
      const key = `${PREFIX}${first}`;
      looks.set(key, { key, members, isUnfolded });
      shown.push(key, ...(isUnfolded ? members : []), ...run.slice(end));
    } else shown.push(...run);
    run = [];
    commands = 0;
  };
  for (const key of keys) {
    const row = rowOf(key);
    const isCommand = row !== undefined && isLookRow(row);
    if (isCommand || (row?.kind === 'reasoning' && row.live.length === 0)) {
      run.push(key);
      commands += Number(isCommand);
    } else {
      close();
      shown.push(key);
    }
  }
  close();
  return looks.size === 0 ? { keys, looks } : { keys: shown, looks };
}

function isLookRow(row: Row): boolean {
  if (row.kind !== 'entry' || row.entry.role !== 'command') return false;
  const { actions, status, exit_code } = row.entry;
  return status === 'completed' && exit_code === 0 && isLook(actions);
}

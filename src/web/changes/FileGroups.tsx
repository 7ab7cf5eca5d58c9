/** The groups of changed files, with keys: arrows between the files, S, U and D for what the buttons do. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import { type FileGroup, pathsOf } from '../../core/changes/group-files.ts';
import { EN_WORK_TREE } from '../strings/en-work-tree.ts';
import { Button } from '../ui/Button.tsx';
import styles from './ChangesPanel.module.css';
import type { IndexAct, IndexActs } from './use-index-acts.ts';
import { ActButton, GROUPS, WorkFile } from './WorkFile.tsx';

interface FileGroupsProps {
  readonly conversationId: ConversationId;
  readonly groups: readonly FileGroup[];
  readonly version: number;
  readonly acts: IndexActs;
}

/** Rows that are mounted at once in a group, until all are asked for. */
const MAX_ROWS = 100;

export function FileGroups({ conversationId, groups, version, acts }: FileGroupsProps) {
  const box = useRef<HTMLDivElement>(null);
  const place = useRef<number | null>(null);
  // A file that was staged leaves its group with the button that had the focus: the file that is now in its place gets it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows go and come with a new version
  useEffect(() => {
    const isLost = document.activeElement === document.body || document.activeElement === null;
    if (place.current === null || !isLost || acts.isWorking) return;
    const heads = headsIn(box.current);
    (heads[Math.min(place.current, heads.length - 1)] ?? box.current)?.focus();
    place.current = null;
  }, [version, groups, acts.isWorking]);
  if (groups.length === 0) return <p className={styles.note}>{EN_WORK_TREE.clean}</p>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the buttons inside, which work without them too
    <div
      ref={box}
      className={styles.groups}
      tabIndex={-1}
      onKeyDown={(event) => onKey(event, box.current)}
      onClickCapture={({ target }) => {
        const file = target instanceof Element ? target.closest('[data-changed-file]') : null;
        const all = [...(box.current?.querySelectorAll('[data-changed-file]') ?? [])];
        if (file !== null && target instanceof Element && target.closest('[data-act]') !== null)
          place.current = all.indexOf(file);
      }}
    >
      {groups.map((group) => (
        <Group key={group.name} conversationId={conversationId} group={group} version={version} acts={acts} />
      ))}
      <p className={styles.keys}>{EN_WORK_TREE.keys}</p>
    </div>
  );
}

interface GroupProps extends Omit<FileGroupsProps, 'groups'> {
  readonly group: FileGroup;
}

function Group({ conversationId, group, version, acts }: GroupProps) {
  const { name, count, files } = group;
  const [isAll, setAll] = useState(false);
  const shown = isAll ? files : files.slice(0, MAX_ROWS);
  const title = EN_WORK_TREE.groups[name];
  return (
    <section aria-label={EN_WORK_TREE.group(title, count)} className={styles.group}>
      <div className={styles.groupHead}>
        <h3>
          {title} <span className={styles.count}>{count}</span>
        </h3>
        {name !== 'conflicted' &&
          GROUPS[name].acts.map((act) => (
            <ActButton
              key={act}
              act={act}
              acts={acts}
              name={`${EN_WORK_TREE.all[act]}: ${title}`}
              onAct={() => acts.run(act, files.flatMap(pathsOf))}
            />
          ))}
      </div>
      {shown.map((file) => (
        <WorkFile
          key={file.path}
          conversationId={conversationId}
          group={name}
          file={file}
          version={version}
          acts={acts}
        />
      ))}
      {shown.length < files.length && (
        <Button tone="quiet" onClick={() => setAll(true)}>
          {EN_WORK_TREE.more(files.length)}
        </Button>
      )}
      {count > files.length && <p className={styles.note}>{EN_WORK_TREE.unlisted(count - files.length)}</p>}
    </section>
  );
}

const headsIn = (box: HTMLElement | null): HTMLElement[] => [
  ...(box?.querySelectorAll<HTMLElement>('[data-changed-file] > * > * > button[aria-expanded]') ?? []),
];

const ACTS: Readonly<Record<string, IndexAct>> = { s: 'stage', u: 'unstage', d: 'discard' };

/** A letter presses the button of the hunk, or of the file, that has the focus. */
function onKey(event: KeyboardEvent, box: HTMLElement | null): void {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !(target instanceof Element)) return;
  const act = ACTS[key.toLowerCase()];
  const by = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (act !== undefined) {
    const place = target.closest('[data-hunk]') ?? target.closest('[data-changed-file]');
    const button = place?.querySelector<HTMLElement>(`[data-act="${act}"]`);
    if (button === null || button === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    button.click();
  } else if (
    by !== undefined &&
    target.matches('[data-changed-file] > * > * > button, [data-changed-file] > * > * [data-act]')
  ) {
    const heads = headsIn(box);
    const own = target.closest('[data-changed-file]');
    const at = heads.findIndex((head) => own?.contains(head));
    event.preventDefault();
    heads[at + by]?.focus();
  }
}

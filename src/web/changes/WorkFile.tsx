/** One changed file of the panel: its line with the acts on it, and below it the difference in parts that can be staged or discarded alone. */
import { Minus, Plus, Undo2 } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import { type GroupFile, type GroupName, pathsOf } from '../../core/changes/group-files.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { EN_CHANGES } from '../strings/en-changes.ts';
import { EN_WORK_TREE } from '../strings/en-work-tree.ts';
import { showName } from '../transcript/ansi.ts';
import { FileDiffBody } from '../transcript/FileDiffView.tsx';
import { type FileDiff, parseDiff } from '../transcript/parse-diff.ts';
import { useOpen } from '../transcript/use-open.ts';
import { Button } from '../ui/Button.tsx';
import { Disclosure } from '../ui/Disclosure.tsx';
import styles from './ChangesPanel.module.css';
import type { IndexAct, IndexActs } from './use-index-acts.ts';

interface WorkFileProps {
  readonly conversationId: ConversationId;
  readonly group: GroupName;
  readonly file: GroupFile;
  /** Grows with every change of the status: an open difference is read again. */
  readonly version: number;
  readonly acts: IndexActs;
}

/** What each group offers, and what its differences are between. */
export const GROUPS: Readonly<
  Record<GroupName, { readonly acts: readonly IndexAct[]; readonly from: string; readonly to: string }>
> = {
  conflicted: { acts: ['stage'], from: 'head', to: 'work_tree' },
  staged: { acts: ['unstage'], from: 'head', to: 'index' },
  unstaged: { acts: ['discard', 'stage'], from: 'index', to: 'work_tree' },
  untracked: { acts: ['discard', 'stage'], from: 'index', to: 'work_tree' },
};

const ICONS: Readonly<Record<IndexAct, ReactNode>> = {
  stage: <Plus size={15} aria-hidden />,
  unstage: <Minus size={15} aria-hidden />,
  discard: <Undo2 size={15} aria-hidden />,
};
const KEYS: Readonly<Record<IndexAct, string>> = { stage: 'S', unstage: 'U', discard: 'D' };

export function WorkFile({ conversationId, group, file, version, acts }: WorkFileProps) {
  const { path, oldPath, letter } = file;
  const [isOpen, toggle] = useOpen(`work-tree:${conversationId}:${group}:${path}`, false);
  const name = showName(path);
  const label = (act: IndexAct) =>
    group === 'conflicted' && act === 'stage' ? EN_WORK_TREE.acts.resolve : EN_WORK_TREE.acts[act];
  return (
    <div data-changed-file={`${group}:${path}`}>
      <Disclosure
        isOpen={isOpen}
        onToggle={toggle}
        edge={group === 'conflicted' ? 'stop' : 'accent'}
        head={
          <code className={styles.path} title={name}>
            {name}
          </code>
        }
        facts={
          <>
            {oldPath !== null && <span className={styles.from}>{EN_WORK_TREE.letters.R}</span>}
            {oldPath === null && <span>{EN_WORK_TREE.letters[letter] ?? letter}</span>}
          </>
        }
        act={
          <span className={styles.fileActs}>
            {GROUPS[group].acts.map((act) => (
              <ActButton
                key={act}
                act={act}
                acts={acts}
                name={EN_WORK_TREE.actOn(label(act), name)}
                onAct={() => acts.run(act, pathsOf(file))}
              />
            ))}
          </span>
        }
      >
        <WorkDiff conversationId={conversationId} group={group} path={path} version={version} acts={acts} />
      </Disclosure>
    </div>
  );
}

interface ActButtonProps {
  readonly act: IndexAct;
  readonly acts: IndexActs;
  readonly name: string;
  readonly onAct: () => Promise<void>;
  readonly children?: ReactNode;
}

export function ActButton({ act, acts, name, onAct, children }: ActButtonProps) {
  const isBusy = useApp((app) => app.view.live.activity.state !== 'idle') && act === 'discard';
  return (
    <Button
      tone="quiet"
      icon={ICONS[act]}
      name={name}
      aria-label={name}
      title={isBusy ? EN_WORK_TREE.busyDiscard : `${name} (${KEYS[act]})`}
      aria-keyshortcuts={KEYS[act]}
      data-act={act}
      // Not `disabled`: a button that loses the focus while it works would send the keyboard back to the top.
      aria-disabled={isBusy || acts.isWorking}
      onClick={() => !isBusy && void onAct()}
    >
      {children}
    </Button>
  );
}

interface WorkDiffProps extends Omit<WorkFileProps, 'file'> {
  readonly path: string;
}

type Read =
  | { readonly kind: 'failed'; readonly message: string }
  | {
      readonly kind: 'read';
      readonly file: FileDiff | null;
      readonly keys: readonly string[];
      readonly isCut: boolean;
    };

function WorkDiff({ conversationId, group, path, version, acts }: WorkDiffProps) {
  const { readDiff } = useCommands();
  const [read, setRead] = useState<Read | null>(null);
  const { from, to } = GROUPS[group];
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the status is a reason to read again
  useEffect(() => {
    let isStale = false;
    void readDiff({ id: conversationId, from, to, path }).then((answer) => {
      if (isStale) return;
      if (!answer.ok) return setRead({ kind: 'failed', message: answer.error.message });
      const { diff, hunks, is_cut } = answer.value;
      setRead({ kind: 'read', file: parseDiff(diff)[0] ?? null, keys: hunks, isCut: is_cut });
    });
    return () => {
      isStale = true;
    };
  }, [conversationId, from, to, path, version, readDiff]);
  if (read === null) return <p className={styles.inside}>{EN_CHANGES.loading}</p>;
  if (read.kind === 'failed') return <p className={styles.inside}>{showName(read.message)}</p>;
  const { file, keys, isCut } = read;
  if (file === null || file.hunks.length === 0) return <p className={styles.inside}>{EN_CHANGES.noLines}</p>;
  // Keys belong to hunks by their order; a difference that git and the page count differently has no parts.
  const hasParts = keys.length === file.hunks.length && keys.length > 0;
  const partActs = (at: number) => {
    const key = keys[at];
    return GROUPS[group].acts.map((act) => (
      <ActButton
        key={act}
        act={act}
        acts={acts}
        name={EN_WORK_TREE.actOnPart(EN_WORK_TREE.acts[act], at + 1, showName(path))}
        onAct={() => (key === undefined ? Promise.resolve() : acts.run(act, [path], [key]))}
      >
        {EN_WORK_TREE.acts[act]}
      </ActButton>
    ));
  };
  return (
    <>
      <FileDiffBody file={file} whole={undefined} partActs={hasParts ? partActs : undefined} />
      {isCut && <p className={styles.inside}>{EN_WORK_TREE.cut}</p>}
    </>
  );
}

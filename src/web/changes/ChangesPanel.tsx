/** The Changes panel: branch, commit, pull and push, staged and unstaged files with their differences, and comparisons with the last commit, the base branch and turns. */
import { RefreshCw } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { RepositoryStatus } from '../../contract/changes.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { comparableTurns, groupFiles, lastDiscard } from '../../core/changes/group-files.ts';
import { CommitBox } from '../ship/CommitBox.tsx';
import { RunCard } from '../ship/RunCard.tsx';
import { ShipBar } from '../ship/ShipBar.tsx';
import { useShip } from '../ship/use-ship.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { EN_FINISH } from '../strings/en-finish.ts';
import { EN_WORK_TREE } from '../strings/en-work-tree.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { formatClock } from '../ui/format.ts';
import styles from './ChangesPanel.module.css';
import { CompareView } from './CompareView.tsx';
import { FileGroups } from './FileGroups.tsx';
import { UndoQuestion } from './UndoQuestion.tsx';
import { useIndexActs } from './use-index-acts.ts';
import { type Repository, useRepository } from './use-repository.ts';
import { useUndo } from './use-undo.ts';

export function ChangesPanel({ conversationId }: { readonly conversationId: ConversationId | null }) {
  return conversationId === null ? null : <Panel key={conversationId} conversationId={conversationId} />;
}

function Panel({ conversationId }: { readonly conversationId: ConversationId }) {
  const repository = useRepository(conversationId);
  const { state, reload } = repository;
  switch (state.kind) {
    case 'loading':
      return <p className={styles.note}>{EN_WORK_TREE.loading}</p>;
    case 'failed':
      return (
        <div className={styles.panel} role="alert">
          <p className={styles.note}>{EN_WORK_TREE.failed(showName(state.message))}</p>
          <Button onClick={() => void reload()}>{EN_WORK_TREE.retry}</Button>
        </div>
      );
    case 'none':
      return <p className={styles.note}>{EN_WORK_TREE.none(showName(state.reason))}</p>;
    case 'ready':
      return (
        <Ready
          conversationId={conversationId}
          status={state.status}
          version={state.version}
          coverage={repository.coverage}
          reload={reload}
        />
      );
    default:
      return state satisfies never;
  }
}

interface ReadyProps extends Pick<Repository, 'coverage' | 'reload'> {
  readonly conversationId: ConversationId;
  readonly status: RepositoryStatus;
  readonly version: number;
}

/** Turns in the list of comparisons: more are found in the transcript. */
const MAX_TURNS = 50;

function Ready({ conversationId, status, version, coverage, reload }: ReadyProps) {
  const checkpoints = useApp((app) => app.checkpoints);
  const isLinked = useApp((app) => app.branches.has(conversationId));
  const [compare, setCompare] = useState('index');
  const acts = useIndexActs(conversationId, reload);
  const groups = useMemo(() => groupFiles(status), [status]);
  const turns = useMemo(() => comparableTurns(checkpoints ?? [], MAX_TURNS), [checkpoints]);
  const ship = useShip(conversationId, status, reload);
  const { show, setDevice } = useCommands();
  return (
    <div className={styles.panel}>
      <ShipBar conversationId={conversationId} status={status} ship={ship} />
      <CommitBox conversationId={conversationId} status={status} ship={ship} />
      <RunCard
        ship={ship}
        upstream={status.upstream}
        onAsk={() => {
          // The message box is under the panel there.
          if (matchMedia('(max-width: 700px)').matches) setDevice({ drawer: null });
        }}
      />
      <div className={styles.top}>
        <select aria-label={EN_WORK_TREE.compare} value={compare} onChange={(event) => setCompare(event.target.value)}>
          {(['index', 'head', 'base'] as const).map((one) => (
            <option key={one} value={one}>
              {EN_WORK_TREE.compareWith[one]}
            </option>
          ))}
          {turns.map(({ id, number, before }) => (
            <option key={id} value={id}>
              {EN_WORK_TREE.turn(number, formatClock(before.at))}
            </option>
          ))}
        </select>
        <Button
          tone="quiet"
          icon={<RefreshCw size={15} aria-hidden />}
          name={EN_WORK_TREE.refresh}
          onClick={() => void Promise.all([reload(), ship.read()])}
        />
      </div>
      {isLinked && <Button onClick={() => show('finish')}>{`${EN_FINISH.title}…`}</Button>}
      {coverage === 'part' && <p className={styles.note}>{EN_WORK_TREE.partial}</p>}
      <UndoDiscard conversationId={conversationId} reload={reload} />
      {compare === 'index' ? (
        <FileGroups conversationId={conversationId} groups={groups} version={version} acts={acts} />
      ) : (
        <CompareView key={compare} conversationId={conversationId} compare={compare} version={version} />
      )}
    </div>
  );
}

/** Offered until something newer was kept. */
function UndoDiscard({ conversationId, reload }: Pick<ReadyProps, 'conversationId' | 'reload'>) {
  const discard = useApp((app) => (app.checkpoints === null ? null : lastDiscard(app.checkpoints)));
  const undo = useUndo(conversationId);
  return (
    <div role="status">
      {discard !== null && (
        <p className={styles.discarded}>
          <span>{EN_WORK_TREE.discarded(formatClock(discard.before.at))}</span>
          <Button disabled={undo.isWorking} onClick={() => void undo.start(discard.id).then(reload)}>
            {EN_WORK_TREE.undo}
          </Button>
        </p>
      )}
      {undo.question !== null && <UndoQuestion key={undo.question.count} undo={undo} question={undo.question} />}
    </div>
  );
}

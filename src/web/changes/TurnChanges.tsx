/** At the end of a turn that changed files: how many, their differences on demand, and undo. Read from the checkpoint, so it has changes by commands too. */
import { lazy, Suspense, useMemo } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import { type TurnChanges as Changes, changesOfTurn } from '../../core/changes/turn-changes.ts';
import { useApp } from '../state/use-app.ts';
import { EN_CHANGES } from '../strings/en-changes.ts';
import { useOpen } from '../transcript/use-open.ts';
import { Button } from '../ui/Button.tsx';
import { Disclosure } from '../ui/Disclosure.tsx';
import styles from './TurnChanges.module.css';
import { UndoQuestion } from './UndoQuestion.tsx';
import { useCheckpointFiles } from './use-checkpoint-files.ts';
import { useUndo } from './use-undo.ts';

const TurnFiles = lazy(async () => ({ default: (await import('./TurnFiles.tsx')).TurnFiles }));

interface TurnChangesProps {
  readonly rowKey: string;
  readonly turnId: string | undefined;
}

export function TurnChanges({ rowKey, turnId }: TurnChangesProps) {
  const openId = useApp((state) => state.openId);
  const checkpoints = useApp((state) => state.checkpoints);
  const changes = useMemo(
    () => (checkpoints === null || turnId === undefined ? null : changesOfTurn(checkpoints, turnId)),
    [checkpoints, turnId],
  );
  if (openId === null || changes === null) return null;
  return <ChangesRow rowKey={rowKey} conversationId={openId} changes={changes} />;
}

interface ChangesRowProps {
  readonly rowKey: string;
  readonly conversationId: ConversationId;
  readonly changes: Changes;
}

const BUTTONS = { in_place: EN_CHANGES.undo, undone: EN_CHANGES.undoUndo, restored: EN_CHANGES.undoRestore } as const;

function ChangesRow({ rowKey, conversationId, changes }: ChangesRowProps) {
  const { checkpoint, state, target } = changes;
  const isBusy = useApp((app) => app.view.live.activity.state !== 'idle');
  const files = useCheckpointFiles(conversationId, checkpoint.id);
  const [isOpen, toggle] = useOpen(`${rowKey}:changes`, false);
  const undo = useUndo(conversationId);
  if (files === null || files.length === 0) return null;
  const sum = (side: 'added' | 'removed') => files.reduce((total, file) => total + (file[side] ?? 0), 0);
  return (
    <div className={styles.row} data-changes={state}>
      <Disclosure
        edge="none"
        isOpen={isOpen}
        onToggle={toggle}
        head={
          <>
            {EN_CHANGES.changed(files.length)} <span className={styles.plus}>{`+${sum('added')}`}</span>{' '}
            <span className={styles.minus}>{`−${sum('removed')}`}</span>
            {state !== 'in_place' && <b className={styles.state}>{` · ${EN_CHANGES[state]}`}</b>}
          </>
        }
        act={
          <Button
            tone="quiet"
            disabled={isBusy || undo.isWorking}
            title={isBusy ? EN_CHANGES.busy : undefined}
            onClick={() => void undo.start(target.id)}
          >
            {BUTTONS[state]}
          </Button>
        }
      >
        <Suspense fallback={<p className={styles.note}>{EN_CHANGES.loading}</p>}>
          <TurnFiles rowKey={rowKey} conversationId={conversationId} checkpoint={checkpoint} files={files}>
            {(['after', 'before'] as const).map((side) => (
              <Button
                key={side}
                tone="quiet"
                disabled={isBusy || undo.isWorking}
                title={isBusy ? EN_CHANGES.busy : undefined}
                onClick={() => void undo.startRestore(checkpoint.id, side)}
              >
                {EN_CHANGES.restore[side]}
              </Button>
            ))}
          </TurnFiles>
        </Suspense>
      </Disclosure>
      {undo.question !== null && <UndoQuestion key={undo.question.count} undo={undo} question={undo.question} />}
    </div>
  );
}

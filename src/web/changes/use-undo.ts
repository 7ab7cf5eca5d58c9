/** Undo and restore of one row: the plan is asked for first, and nothing is written while it has a question for the person. */
import { useState } from 'react';
import type { UndoChoice, UndoStep } from '../../contract/changes.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import { sortSteps } from '../../core/changes/turn-changes.ts';
import { useCommands } from '../state/use-app.ts';
import { EN_CHANGES } from '../strings/en-changes.ts';

export type Choices = Readonly<Record<string, UndoChoice>>;

export interface Question {
  readonly checkpointId: string;
  /** Null for an undo with conflicts, else the side that all files are restored to. */
  readonly side: 'before' | 'after' | null;
  readonly steps: readonly UndoStep[];
  /** Tells one question from the next, so that no choice is carried over. */
  readonly count: number;
}

export interface UndoActs {
  readonly question: Question | null;
  readonly isWorking: boolean;
  start(checkpointId: string): Promise<void>;
  startRestore(checkpointId: string, side: 'before' | 'after'): Promise<void>;
  go(question: Question, choices: Choices): Promise<void>;
  cancel(): void;
}

type Answer = Result<RouteOutput<'undoCheckpoint'>>;

export function useUndo(id: ConversationId): UndoActs {
  const { undoCheckpoint, restoreCheckpoint, readCheckpoints, toast } = useCommands();
  const [question, setQuestion] = useState<Question | null>(null);
  const [isWorking, setWorking] = useState(false);

  const refuse = (answer: Answer) => {
    if (!answer.ok) toast({ text: answer.error.message, tone: 'error' });
  };
  const ask = (checkpointId: string, side: Question['side'], steps: readonly UndoStep[]) =>
    setQuestion((before) => ({ checkpointId, side, steps, count: (before?.count ?? 0) + 1 }));
  const work = async (task: () => Promise<void>) => {
    setWorking(true);
    await task();
    setWorking(false);
  };

  const finish = async (answer: Answer) => {
    if (!answer.ok) return;
    setQuestion(null);
    const notKept = sortSteps(answer.value.steps).notKept.length;
    if (notKept > 0) toast({ text: EN_CHANGES.notKept(notKept), tone: 'plain' });
    const skipped = answer.value.skipped.length;
    if (skipped > 0) toast({ text: EN_CHANGES.skipped(skipped), tone: 'error' });
    await readCheckpoints();
  };

  const tryUndo = (checkpointId: string) =>
    undoCheckpoint({ id, checkpoint_id: checkpointId, choices: {}, is_trial: true });

  const perform = async (checkpointId: string, choices: Choices) => {
    const answer = await undoCheckpoint({ id, checkpoint_id: checkpointId, choices, is_trial: false });
    if (answer.ok) return finish(answer);
    // A file that changed since the plan was shown is a new conflict: the plan is shown again.
    const again = await tryUndo(checkpointId);
    const hasConflicts = again.ok && sortSteps(again.value.steps).conflicts.length > 0;
    if (hasConflicts) ask(checkpointId, null, again.value.steps);
    refuse(answer);
  };

  return {
    question,
    isWorking,
    cancel: () => setQuestion(null),
    start: (checkpointId) =>
      work(async () => {
        const plan = await tryUndo(checkpointId);
        if (!plan.ok) return refuse(plan);
        if (sortSteps(plan.value.steps).conflicts.length > 0) return ask(checkpointId, null, plan.value.steps);
        await perform(checkpointId, {});
      }),
    startRestore: (checkpointId, side) =>
      work(async () => {
        const plan = await restoreCheckpoint({ id, checkpoint_id: checkpointId, side, is_trial: true });
        if (plan.ok) ask(checkpointId, side, plan.value.steps);
        else refuse(plan);
      }),
    go: ({ checkpointId, side }, choices) =>
      work(async () => {
        if (side === null) return perform(checkpointId, choices);
        const answer = await restoreCheckpoint({ id, checkpoint_id: checkpointId, side, is_trial: false });
        refuse(answer);
        await finish(answer);
      }),
  };
}

/** Stage, unstage and discard as buttons use them: one after the other, a failure in a toast, the list read again afterwards. */
import { useRef, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import { useCommands } from '../state/use-app.ts';
import { EN_CHANGES } from '../strings/en-changes.ts';

export type IndexAct = 'stage' | 'unstage' | 'discard';

export interface IndexActs {
  readonly isWorking: boolean;
  /** `hunks`: keys of hunks of the one path. */
  run(act: IndexAct, paths: readonly string[], hunks?: readonly string[]): Promise<void>;
}

/** As many as one request takes; the rest stays in the list. */
const MAX_PATHS = 2_000;

export function useIndexActs(id: ConversationId, reload: () => Promise<void>): IndexActs {
  const { changeIndex, discardChanges, readCheckpoints, toast } = useCommands();
  const [isWorking, setWorking] = useState(false);
  const queue = useRef<{ readonly key: string; readonly done: Promise<void> } | null>(null);

  const perform = async (act: IndexAct, paths: readonly string[], hunks?: readonly string[]): Promise<void> => {
    const call = { id, paths: paths.slice(0, MAX_PATHS), ...(hunks !== undefined && { hunks: [...hunks] }) };
    if (act === 'discard') {
      const done = await discardChanges(call);
      if (!done.ok) toast({ text: done.error.message, tone: 'error' });
      else {
        if (done.value.skipped.length > 0)
          toast({ text: EN_CHANGES.skipped(done.value.skipped.length), tone: 'error' });
        await readCheckpoints();
      }
    } else {
      const done = await changeIndex(act, call);
      if (!done.ok) toast({ text: done.error.message, tone: 'error' });
    }
    await reload();
  };

  return {
    isWorking,
    async run(act, paths, hunks) {
      const key = JSON.stringify([act, paths, hunks]);
      const before = queue.current;
      // A second press of the same button means the first one.
      if (paths.length === 0 || before?.key === key) return;
      setWorking(true);
      const done = (before?.done ?? Promise.resolve()).then(() => perform(act, paths, hunks));
      const own = { key, done };
      queue.current = own;
      await done;
      if (queue.current !== own) return;
      queue.current = null;
      setWorking(false);
    },
  };
}

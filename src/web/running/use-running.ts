/** The list of what runs: read when something was told, and every two seconds while it is shown, since processes end without a word. */
import { useEffect, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import type { RunningCommand } from '../../contract/running.ts';
import { useApp, useCommands } from '../state/use-app.ts';

const REFRESH_MS = 2_000;

/** Null until it was read. */
export function useRunning(conversationId: ConversationId): readonly RunningCommand[] | null {
  const [running, setRunning] = useState<readonly RunningCommand[] | null>(null);
  const told = useApp((state) => state.view.live.running);
  const { listRunning } = useCommands();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was told is the reason to read again
  useEffect(() => {
    let isGone = false;
    const read = async () => {
      const listed = await listRunning(conversationId);
      if (!isGone && listed !== null) setRunning(listed);
    };
    void read();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void read();
    }, REFRESH_MS);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [conversationId, told, listRunning]);
  // What was told is newer than what was read.
  return running === null
    ? null
    : running.map((one) => ({ ...one, state: told.find((two) => two.item_id === one.item_id)?.state ?? one.state }));
}

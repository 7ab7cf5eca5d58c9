/** The newest action of a work tree: known from the last reading or from its start, then followed to its end. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import type { ShipRun } from '../../contract/ship.ts';
import { useCommands } from '../state/use-app.ts';
import { EN_SHIP } from '../strings/en-ship.ts';

/** A hook that prints without a pause is shown five times a second: each answer may have 64 KiB. */
const BETWEEN_MS = 200;
/** The server may be starting again. */
const RETRY_MS = 2_000;

export interface FollowedRun {
  readonly newest: ShipRun | null;
  /** For an action that began here. */
  follow(run: ShipRun): void;
}

/** `read`: the newest run of the last reading. `onEnd` is called when a run ends that was seen running. */
export function useFollowedRun(id: ConversationId, read: ShipRun | null, onEnd: () => Promise<void>): FollowedRun {
  const { ship: call } = useCommands();
  const [newest, setNewest] = useState<ShipRun | null>(null);
  const known = useRef<ShipRun | null>(null);

  const follow = useCallback((run: ShipRun) => {
    const before = known.current;
    if (before?.id === run.id && before.version >= run.version) return;
    known.current = run;
    setNewest(run);
  }, []);
  useEffect(() => {
    if (read !== null) follow(read);
  }, [read, follow]);

  const runId = newest?.state === 'running' ? newest.id : null;
  useEffect(() => {
    if (runId === null) return;
    let isOver = false;
    const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
    const watch = async () => {
      while (!isOver) {
        const answer = await call('readShipRun', { id, after: known.current?.version ?? 0 });
        if (isOver) return;
        if (!answer.ok) await pause(RETRY_MS);
        else {
          const { run } = answer.value;
          const last = known.current;
          // The server that ran it was ended: nobody knows how far it came.
          if (run === null && last !== null) follow(lostRun(last));
          else if (run !== null) follow(run);
          if (run === null || run.id !== runId || run.state !== 'running') return void onEnd();
          await pause(BETWEEN_MS);
        }
      }
    };
    void watch();
    return () => {
      isOver = true;
    };
  }, [id, runId, call, follow, onEnd]);
  return { newest, follow };
}

const lostRun = (run: ShipRun): ShipRun => ({
  ...run,
  version: run.version + 1,
  state: 'failed',
  failure: { reason: 'other', message: EN_SHIP.run.lost, files: [] },
});

/** What can be shipped, and the newest action in the work tree: started, followed to its end, cancelled, also after a reload or from another page. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { RepositoryStatus } from '../../contract/changes.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import type { ShipAction, ShipRun } from '../../contract/ship.ts';
import type { ChangeCommands } from '../state/change-commands.ts';
import { useCommands } from '../state/use-app.ts';
import { useFollowedRun } from './follow-run.ts';
import type { Wanted } from './next-steps.ts';
import { type Refusal, refusalOf } from './refusal.ts';

type ShipFacts = RouteOutput<'readShip'>;

export interface Ship {
  /** Null until they were read. */
  readonly facts: ShipFacts | null;
  /** The newest action, also one that is not shown. */
  readonly newest: ShipRun | null;
  /** What the card shows. */
  readonly run: ShipRun | null;
  /** Why the last wanted action did not even begin. */
  readonly refusal: Refusal | null;
  /** What was asked for, if it was asked for here. */
  readonly wanted: Wanted | null;
  readonly isBusy: boolean;
  readonly isCancelling: boolean;
  /** The action as it began; null if it did not. */
  act(wanted: Wanted): Promise<ShipRun | null>;
  /** Says why something cannot be done, without asking the server. */
  refuse(action: ShipAction, message: string): void;
  cancel(): Promise<void>;
  dismiss(): void;
  read(): Promise<void>;
}

/** Cards that a person closed, while the page lives. */
const closed = new Set<string>();

export function useShip(id: ConversationId, status: RepositoryStatus, reload: () => Promise<void>): Ship {
  const { ship: call, toast } = useCommands();
  const [facts, setFacts] = useState<ShipFacts | null>(null);
  const [asked, setAsked] = useState<{ readonly runId: string | null; readonly wanted: Wanted } | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isStarting, setStarting] = useState(false);
  const [cancelled, setCancelled] = useState<string | null>(null);
  const [, setClosed] = useState(0);
  const starting = useRef(false);
  const readings = useRef(0);

  const read = useCallback(async () => {
    readings.current += 1;
    const own = readings.current;
    const answer = await call('readShip', { id });
    if (answer.ok && own === readings.current) setFacts(answer.value);
  }, [id, call]);

  const onEnd = useCallback(async () => {
    await Promise.all([reload(), read()]);
  }, [reload, read]);
  const { newest, follow } = useFollowedRun(id, facts?.run ?? null, onEnd);

  // What a commit or a terminal changes of the branch changes what can be pulled and pushed.
  const { branch, head, upstream, ahead, behind } = status;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them is a reason to read again
  useEffect(() => {
    void read();
  }, [read, branch, head, upstream, ahead, behind]);

  // An action that had ended before the panel was opened is no news.
  const isFirst = useRef(true);
  if (facts !== null && isFirst.current) {
    isFirst.current = false;
    if (facts.run?.state === 'done' && asked === null) closed.add(facts.run.id);
  }

  const isBusy = isStarting || newest?.state === 'running';
  const run = newest === null || closed.has(newest.id) ? null : newest;

  return {
    facts,
    newest,
    run,
    refusal,
    wanted: refusal?.wanted ?? (asked?.runId === newest?.id ? (asked?.wanted ?? null) : null),
    isBusy,
    isCancelling: cancelled !== null && cancelled === newest?.id && newest.state === 'running',
    async act(wanted) {
      // Two presses are one.
      if (starting.current || isBusy) return null;
      starting.current = true;
      setStarting(true);
      setRefusal(null);
      const answer = await start(call, id, wanted);
      starting.current = false;
      setStarting(false);
      if (answer.ok) {
        const { run: begun } = answer.value;
        // What is being read may name the action before this one.
        readings.current += 1;
        setAsked({ runId: begun.id, wanted });
        follow(begun);
        return begun;
      }
      // The person did not want the repository's programs to run: nothing happened.
      if (answer.error.code === 'confirmation_required') return null;
      setRefusal(refusalOf(wanted, answer.error));
      // Perhaps another page began something here.
      await read();
      return null;
    },
    refuse: (action, message) => setRefusal({ action, wanted: null, failure: { message, reason: 'other', files: [] } }),
    async cancel() {
      if (newest === null) return;
      setCancelled(newest.id);
      const answer = await call('cancelShipRun', { id, run: newest.id });
      if (!answer.ok && answer.error.code !== 'conflict') {
        setCancelled(null);
        toast({ text: answer.error.message, tone: 'error' });
      }
    },
    dismiss() {
      if (newest !== null) closed.add(newest.id);
      setRefusal(null);
      setClosed((count) => count + 1);
    },
    read,
  };
}

function start(call: ChangeCommands['ship'], id: ConversationId, wanted: Wanted): Promise<Result<{ run: ShipRun }>> {
  switch (wanted.action) {
    case 'commit':
      return call('commitChanges', { id, message: wanted.message, what: wanted.what, amend: wanted.amend });
    case 'branch':
      return call('createBranch', { id, name: wanted.name });
    case 'switch':
      return call('switchBranch', { id, branch: wanted.branch, overwrite: wanted.overwrite });
    case 'pull':
      return call('pullChanges', { id, mode: wanted.mode });
    case 'push':
      return call('pushChanges', { id, force_with_lease: wanted.force_with_lease });
    case 'pull_request': {
      const { title, body, base, is_draft } = wanted;
      return call('openPullRequest', { id, title, body, base, is_draft });
    }
    default:
      return wanted satisfies never;
  }
}

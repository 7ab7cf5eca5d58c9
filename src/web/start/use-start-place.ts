/** Where the conversation that is about to begin will work, as the person chose it for this directory. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { MAX_ATTEMPTS } from '../../contract/attempt-bounds.ts';
import type { RouteCall } from '../../contract/routes.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { attemptBranches, HERE, placeCall, type Repository, type StartPlace } from './start-place.ts';

export interface Place {
  /** Null where the directory is in no repository, and until that is known. */
  readonly repository: Repository | null;
  readonly chosen: StartPlace;
  /** The first message, as far as it is written. */
  readonly message: string;
  /** The server was asked for this one already. */
  readonly isAttempted: boolean;
  choose(place: StartPlace): void;
  /** Why the set-up command was not saved; null if it was. */
  writeSetup(command: string | null): Promise<string | null>;
}

/** For the call that begins the conversation, when it is made: from then on the branch keeps its name, whatever becomes of the text. */
export type PlaceCall = () => PlacePart & {
  /** Of the further attempts, each in its own work tree. */
  readonly further: readonly PlacePart[];
};

type PlacePart = Pick<RouteCall<'createConversation'>, 'cwd' | 'worktree'>;

/** Nobody reads what a directory is that is still being typed. */
const PAUSE_MS = 250;
const AGAIN_MS = 3_000;

export function useStartPlace(cwd: string, message: string, begin: RefObject<PlaceCall>): Place {
  const { readWorktrees, writeSetup: save } = useCommands();
  // Read again after the connection was away.
  const preferences = useApp((state) => state.preferences);
  const [known, setKnown] = useState<{ readonly cwd: string; readonly repository: Repository | null } | null>(null);
  const [choice, setChoice] = useState<{ readonly cwd: string; readonly place: StartPlace }>({ cwd: '', place: HERE });
  const next = useRef<{ readonly key: string; readonly ids: readonly string[] }>({ key: '', ids: [] });
  const [attempted, setAttempted] = useState('');
  useEffect(() => {
    if (cwd === '' || preferences === null) return;
    let isCurrent = true;
    const read = async (): Promise<void> => {
      const answer = await readWorktrees(cwd);
      if (!isCurrent) return;
      if (answer.ok) setKnown({ cwd, repository: answer.value });
      // A git that was too slow, or a server that was away.
      else timer = setTimeout(() => void read(), AGAIN_MS);
    };
    let timer = setTimeout(() => void read(), PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [cwd, preferences, readWorktrees]);
  const repository = known?.cwd === cwd ? known.repository : null;
  // Chosen for one directory, it says nothing about the next.
  const chosen = choice.cwd === cwd && repository !== null ? choice.place : HERE;
  const { worktree, ...rest } = placeCall(chosen, repository, message);
  const count = chosen.kind === 'new' && worktree?.existing === false ? (chosen.attempts ?? 1) : 1;
  const key = JSON.stringify({ cwd, worktree, count });
  useEffect(() => {
    begin.current = () => {
      if (worktree === undefined || chosen.kind !== 'new' || repository === null) return { ...rest, further: [] };
      setAttempted(key);
      setChoice({ cwd, place: { ...chosen, branch: worktree.branch } });
      const ids = idsFor(key);
      const [group = ''] = ids;
      const parts = attemptBranches(worktree.branch, count, repository).map((branch, at) => ({
        ...rest,
        worktree: {
          ...worktree,
          branch,
          request_id: ids[at] ?? group,
          ...(count > 1 && { attempt: { group, number: at + 1 } }),
        },
      }));
      return { ...parts[0], further: parts.slice(1) };
    };
  });
  async function writeSetup(command: string | null): Promise<string | null> {
    const written = await save(cwd, command);
    if (!written.ok) return written.error.message;
    setKnown((now) =>
      now?.cwd === cwd && now.repository !== null ? { cwd, repository: { ...now.repository, setup: command } } : now,
    );
    return null;
  }

  return {
    writeSetup,
    repository,
    chosen,
    message,
    isAttempted: attempted === key,
    choose: (place) => setChoice({ cwd, place }),
  };

  /** The same as long as the same is wanted: an attempt whose answer got lost is repeated, not made a second time. */
  function idsFor(wanted: string): readonly string[] {
    if (next.current.key !== wanted)
      next.current = { key: wanted, ids: Array.from({ length: MAX_ATTEMPTS }, () => crypto.randomUUID()) };
    return next.current.ids;
  }
}

/** What pull and push would do, in words, and why they cannot. Pure. */
import type { RepositoryStatus } from '../../contract/changes.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import { EN_SHIP } from '../strings/en-ship.ts';

interface Offer {
  /** Says what it does, for the title and the screen reader. */
  readonly name: string;
  /** Commits that are known to go or come. */
  readonly count: number;
  /** Null: it can be done. */
  readonly problem: string | null;
}

interface SyncOffer {
  /** Null while nothing is known, and where there is no remote. */
  readonly pull: Offer | null;
  readonly push: Offer | null;
  readonly canRequest: boolean;
}

const WORDS = EN_SHIP.sync;

export function syncOffer(
  { branch, head, upstream, ahead, behind }: RepositoryStatus,
  facts: Pick<RouteOutput<'readShip'>, 'remotes' | 'push_remote'> | null,
): SyncOffer {
  if (facts === null) return { pull: null, push: null, canRequest: false };
  const remote = facts.push_remote;
  const stuck = (name: string, problem: string): Offer => ({ name, count: 0, problem });
  if (facts.remotes.length === 0 || remote === null)
    return { pull: null, push: stuck(WORDS.push, WORDS.noRemote), canRequest: false };
  if (branch === null)
    return { pull: stuck(WORDS.pull, WORDS.noBranch), push: stuck(WORDS.push, WORDS.noBranch), canRequest: false };
  const [out, come] = [ahead ?? 0, behind ?? 0];
  const pull: Offer =
    upstream === null
      ? stuck(WORDS.pull, WORDS.noUpstream(branch))
      : { name: come > 0 ? WORDS.pullMany(come, upstream) : WORDS.pullNone(upstream), count: come, problem: null };
  if (head === null) return { pull, push: stuck(WORDS.push, WORDS.noCommit), canRequest: false };
  // An upstream that is gone has no counts: the branch is not there any more.
  const isNew = upstream === null || ahead === null;
  const name = isNew ? WORDS.pushNew(branch, remote) : out > 0 ? WORDS.pushMany(out, remote) : WORDS.pushNone(remote);
  return { pull, push: { name, count: out, problem: null }, canRequest: true };
}

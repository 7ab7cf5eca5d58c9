/** What the commit button commits, and why it may not. Pure. */
import type { RepositoryStatus } from '../../contract/changes.ts';
import { EN_SHIP } from '../strings/en-ship.ts';

export interface CommitChoice {
  readonly what: 'staged' | 'all';
  readonly label: string;
  /** False: there is nothing that could be committed; the note says why. */
  readonly isPossible: boolean;
  /** What is not part of the commit, or what is missing. */
  readonly note: string | null;
}

type Facts = Pick<RepositoryStatus, 'counts' | 'head' | 'upstream' | 'ahead'>;

const WORDS = EN_SHIP.commit;

/** An amendment never takes changes that are not staged: a person who only mends the message would commit them unseen. */
export function chooseCommit(facts: Facts, isAmend: boolean): CommitChoice {
  const { staged, unstaged, untracked, conflicted } = facts.counts;
  const no = (note: string): CommitChoice => ({ what: 'staged', label: WORDS.label, isPossible: false, note });
  const yes = (what: CommitChoice['what'], label: string, note: string | null): CommitChoice => ({
    what,
    label,
    isPossible: true,
    note,
  });
  if (conflicted > 0) return no(WORDS.conflicts(conflicted));
  if (isAmend) {
    if (facts.head === null) return no(WORDS.noCommit);
    const isPushed = facts.upstream !== null && facts.ahead === 0;
    const note = isPushed && facts.upstream !== null ? WORDS.amendPushed(facts.upstream) : null;
    return yes('staged', staged > 0 ? WORDS.amendStaged(staged) : WORDS.amendMessage, note);
  }
  if (staged > 0) return yes('staged', WORDS.staged(staged), unstaged > 0 ? WORDS.changesStay(unstaged) : null);
  if (unstaged > 0) return yes('all', WORDS.all, untracked > 0 ? WORDS.newFilesStay(untracked) : null);
  return no(untracked > 0 ? WORDS.onlyNew : WORDS.nothing);
}

/** Shipping the work of a conversation: what would run, messages, and the actions. The programs of a repository run only as a person saw and trusted them. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ConversationId } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { RouteCall, RouteOutput } from '../../contract/routes.ts';
import type { PullRequestDraft, RepositoryPrograms, ShipAction, ShipRun } from '../../contract/ship.ts';
import { localBranch } from '../../core/changes/parse-refs.ts';
import { parseRemoteUrl, withoutCredentials } from '../../core/changes/remote-url.ts';
import { lastOf } from '../../core/changes/repository-programs.ts';
import { type ChangedPath, stripComments, suggestMessage } from '../../core/changes/suggest-message.ts';
import { isInside } from '../../core/conversations/settings.ts';
import type { Clock } from '../../node/clock.ts';
import { expandPath } from '../../node/path-kind.ts';
import { findBase } from './base-branch.ts';
import { findPrograms } from './find-programs.ts';
import { readBranches } from './read-branches.ts';
import { findWorkTree } from './repository.ts';
import { type BranchRequest, prepareBranch, prepareSwitch, type SwitchRequest } from './ship-branches.ts';
import { type CommitRequest, prepareCommit } from './ship-commit.ts';
import type { Place } from './ship-place.ts';
import {
  type PullMode,
  type PushRequest,
  preparePull,
  preparePush,
  pushRemote,
  remoteNames,
  remoteUrl,
} from './ship-remote.ts';
import { draftPullRequest, type OpenRequest, preparePullRequest, type RequestTools } from './ship-request.ts';
import { createShipRuns, type Job } from './ship-runs.ts';
import { readStatus } from './status.ts';

export interface ShipOptions extends RequestTools {
  readonly ownFolders: readonly string[];
  readonly cwdOf: (id: ConversationId) => string | null;
  /** Conversations that are not in the trash, with their directories. */
  readonly conversations: () => readonly { readonly id: ConversationId; readonly cwd: string }[];
  readonly isBusy: (id: ConversationId) => boolean;
  /** What a person decided about the programs of repositories, by `FoundPrograms.key`. */
  readonly trust: {
    isTrusted(path: string, hash: string): boolean;
    trust(path: string, hash: string): Promise<Result<null>>;
  };
  /** Branches or files of the conversation's work tree are different now. */
  readonly onFiles: (id: ConversationId) => void;
  readonly clock: Clock;
}

type Suggested = NonNullable<RouteCall<'suggestCommit'>['what']>;

/** An action, with the hash of the programs that its person saw. */
type Act<T> = (id: ConversationId, request: T, programs: string) => Promise<Result<ShipRun>>;

export interface Ship {
  read(id: ConversationId): Promise<Result<RouteOutput<'readShip'>>>;
  programs(id: ConversationId): Promise<Result<RepositoryPrograms>>;
  /** Fails with `stale` if other programs are there by now. */
  trust(id: ConversationId, hash: string): Promise<Result<null>>;
  suggest(id: ConversationId, what: Suggested): Promise<Result<string>>;
  draft(id: ConversationId): Promise<Result<PullRequestDraft>>;
  run(id: ConversationId, after: number | undefined, signal: AbortSignal): Promise<Result<ShipRun | null>>;
  cancel(id: ConversationId, run: string): Promise<Result<ShipRun>>;
  readonly commit: Act<CommitRequest>;
  readonly branch: Act<BranchRequest>;
  readonly switch: Act<SwitchRequest>;
  readonly pull: Act<PullMode>;
  readonly push: Act<PushRequest>;
  readonly pullRequest: Act<OpenRequest>;
  close(): Promise<void>;
}

/** A template is some lines. */
const MAX_TEMPLATE_BYTES = 64 * 1024;

export function createShip(options: ShipOptions): Ship {
  const { git, folder, ownFolders, cwdOf, conversations, isBusy, trust, onFiles, runAsPerson, clock } = options;
  const within = (root: string) => conversations().filter(({ cwd }) => isInside(root, cwd));
  const runs = createShipRuns({
    runAsPerson,
    clock,
    onEnd: (root) => {
      for (const { id } of within(root)) onFiles(id);
    },
  });

  const enter = async (id: ConversationId): Promise<Result<Place>> => {
    const cwd = cwdOf(id);
    if (cwd === null) return fail('unknown_conversation', `there is no conversation ${id}`);
    const tree = await findWorkTree(git, cwd, ownFolders);
    if (!tree.ok) return tree;
    const programs = await findPrograms(git, tree.value);
    if (!programs.ok) return programs;
    const isSame = async () => {
      const now = await findPrograms(git, tree.value);
      return now.ok && now.value.hash === programs.value.hash;
    };
    return ok({ id, tree: tree.value, programs: programs.value, isSame });
  };

  const isTrusted = ({ programs }: Place): boolean =>
    programs.items.length === 0 || trust.isTrusted(programs.key, programs.hash);

  const shownPrograms = (place: Place): RepositoryPrograms => ({
    items: [...place.programs.items],
    hash: place.programs.hash,
    is_trusted: isTrusted(place),
  });

  const act =
    <T>(action: ShipAction, needsIdle: boolean, prepare: (place: Place, request: T) => Promise<Result<Job>>): Act<T> =>
    async (id, request, seen) => {
      const place = await enter(id);
      if (!place.ok) return place;
      const { root } = place.value.tree;
      if (place.value.programs.hash !== seen)
        return fail('stale', 'what this repository would run has changed: look at it again');
      if (!isTrusted(place.value)) return fail('forbidden', 'nobody has trusted what this repository would run');
      const busy = needsIdle ? within(root).find((one) => isBusy(one.id)) : undefined;
      if (busy !== undefined)
        return fail('conflict', `a turn of ${busy.id} is running in ${root}: stop it first`, {
          conversation_id: busy.id,
        });
      const job = await prepare(place.value, request);
      return job.ok ? runs.start(root, action, job.value) : job;
    };

  const rootOf = async (id: ConversationId): Promise<Result<string>> => {
    const cwd = cwdOf(id);
    if (cwd === null) return fail('unknown_conversation', `there is no conversation ${id}`);
    const tree = await findWorkTree(git, cwd, ownFolders);
    return tree.ok ? ok(tree.value.root) : tree;
  };

  return {
    async read(id) {
      const place = await enter(id);
      if (!place.ok) {
        const isOutside = ['not_found', 'missing_cwd', 'conflict'].includes(place.error.code);
        const nothing = {
          repository: null,
          branches: [],
          base: null,
          remotes: [],
          push_remote: null,
          programs: null,
          run: null,
        };
        return isOutside ? ok({ ...nothing, reason: place.error.message }) : place;
      }
      const { tree, programs } = place.value;
      const [status, branches, base] = await Promise.all([
        readStatus(git, folder, tree),
        readBranches(git, tree, 'everywhere'),
        findBase(git, tree, null),
      ]);
      if (!status.ok) return status;
      if (!branches.ok) return branches;
      if (!base.ok) return base;
      const remotes = remoteNames(programs.config).map((name) => {
        const url = remoteUrl(programs.config, name);
        const address = parseRemoteUrl(url);
        return { name, url: withoutCredentials(url), host: address.kind === 'host' ? address.host : null };
      });
      return ok({
        repository: status.value,
        reason: null,
        branches: branches.value,
        base: base.value === null ? null : (localBranch(base.value) ?? base.value),
        remotes,
        push_remote: pushRemote(programs.config, status.value.branch),
        programs: shownPrograms(place.value),
        run: runs.newest(tree.root),
      });
    },
    async programs(id) {
      const place = await enter(id);
      return place.ok ? ok(shownPrograms(place.value)) : place;
    },
    async trust(id, hash) {
      const place = await enter(id);
      if (!place.ok) return place;
      if (place.value.programs.hash !== hash)
        return fail('stale', 'what this repository would run has changed: look at it again');
      return trust.trust(place.value.programs.key, hash);
    },
    async suggest(id, what) {
      const place = await enter(id);
      if (!place.ok) return place;
      const { tree } = place.value;
      if (what === 'template') return ok(await readTemplate(place.value));
      if (what === 'last_commit') {
        const shown = await git({
          cwd: tree.root,
          args: ['log', '-1', '--format=%B', 'HEAD', '--'],
          timeoutMs: 10_000,
        });
        return ok(shown.kind === 'ended' && shown.code === 0 ? shown.stdout.toString('utf8').trim() : '');
      }
      const status = await readStatus(git, folder, tree);
      if (!status.ok) return status;
      const files = status.value.files.flatMap(({ path, staged, unstaged }): ChangedPath[] => {
        const letter = what === 'staged' || staged !== '.' ? staged : unstaged;
        const kind = KINDS[letter];
        return kind === undefined ? [] : [{ path, status: kind }];
      });
      const { answer, label } = await options.wordsOf(id);
      return ok(suggestMessage(files, { answer, label }, await readTemplate(place.value)));
    },
    async draft(id) {
      const place = await enter(id);
      return place.ok ? draftPullRequest(options, place.value) : place;
    },
    async run(id, after, signal) {
      const root = await rootOf(id);
      return root.ok ? ok(await runs.next(root.value, after, signal)) : root;
    },
    async cancel(id, run) {
      const root = await rootOf(id);
      return root.ok ? runs.cancel(root.value, run) : root;
    },
    commit: act('commit', false, (place, request) => prepareCommit(options, place, request)),
    branch: act('branch', true, (place, request) => prepareBranch(options, place, request)),
    switch: act('switch', true, (place, request) => prepareSwitch(options, place, request)),
    pull: act('pull', true, (place, mode) => preparePull(options, place, mode)),
    push: act('push', false, (place, request) => preparePush(options, place, request)),
    pullRequest: act('pull_request', false, (place, request) => preparePullRequest(options, place, request)),
    close: runs.close,
  };
}

const KINDS: Readonly<Record<string, ChangedPath['status']>> = {
  A: 'added',
  C: 'added',
  M: 'changed',
  T: 'changed',
  D: 'deleted',
  R: 'renamed',
};

/** The person's template. One that the repository names is read only inside the work tree: it could name any file of the person. */
async function readTemplate({ tree, programs }: Place): Promise<string> {
  const set = lastOf(programs.config, 'commit.template');
  if (set === null || set.value === '') return '';
  const path = await realpath(expandPath(set.value) ?? resolve(tree.root, set.value)).catch(() => null);
  const isOfRepository = set.scope === 'local' || set.scope === 'worktree';
  if (path === null || (isOfRepository && (!isInside(tree.root, path) || isInside(join(tree.root, '.git'), path))))
    return '';
  const stats = await stat(path).catch(() => null);
  if (!stats?.isFile() || stats.size > MAX_TEMPLATE_BYTES) return '';
  return stripComments(await readFile(path, 'utf8').catch(() => ''));
}

/** Pull requests: what one would say, whether gh or glab can open it, and opening it. These tools run outside the repository. */
import { homedir } from 'node:os';
import type { ConversationId } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { PullRequestDraft } from '../../contract/ship.ts';
import { isBranchName, localBranch } from '../../core/changes/parse-refs.ts';
import { compareUrl, hostKind, parseRemoteUrl, type RemoteAddress } from '../../core/changes/remote-url.ts';
import { draftRequest } from '../../core/changes/suggest-message.ts';
import type { RunAsPerson } from '../../node/person-program.ts';
import { findBase } from './base-branch.ts';
import { commitOf } from './linked.ts';
import { currentBranch, doneAt, type Place, type ShipTools } from './ship-place.ts';
import { pushRemote, remoteUrl } from './ship-remote.ts';
import { failedRun, type Job } from './ship-runs.ts';

/** What the conversation says about its work. */
interface ConversationWords {
  readonly answer: string | null;
  readonly label: string | null;
  readonly plan: readonly { readonly step: string; readonly status: string }[];
}

export interface RequestTools extends ShipTools {
  readonly runAsPerson: RunAsPerson;
  readonly wordsOf: (id: ConversationId) => Promise<ConversationWords>;
  readonly onRequest: (id: ConversationId, opened: OpenedRequest) => void;
}

/** A pull request that a tool of its host has opened. */
export interface OpenedRequest {
  readonly tool: 'gh' | 'glab';
  readonly url: string;
  readonly branch: string;
}

/** A check that a person waits for; the tools ask the host. */
const LOGIN_MS = 15_000;
const OPEN_MS = 2 * 60_000;

export async function draftPullRequest(tools: RequestTools, place: Place): Promise<Result<PullRequestDraft>> {
  const { git } = tools;
  const { tree, programs } = place;
  const branch = await currentBranch(git, tree);
  if (branch === null) return fail('conflict', 'HEAD is on no branch: create one first');
  const remote = pushRemote(programs.config, branch);
  if (remote === null)
    return fail('conflict', 'this repository has no remote: add one with `git remote add origin ADDRESS`');
  const found = await findBase(git, tree, branch);
  if (!found.ok) return found;
  const base = found.value === null ? null : localBranch(found.value);
  if (found.value === null || base === null || base === branch)
    return fail('conflict', `${branch} is the branch that work is based on: create a new branch first`);
  const head = await commitOf(git, tree, 'HEAD');
  const there = await commitOf(git, tree, `refs/remotes/${remote}/${branch}`);
  const remoteBase = `refs/remotes/${remote}/${base}`;
  const from = (await commitOf(git, tree, remoteBase)) === null ? found.value : remoteBase;
  const args = ['log', '-z', '--reverse', '--max-count=200', '--format=%s%x1f%b', `${from}..HEAD`, '--'];
  const log = await git({ cwd: tree.root, args, timeoutMs: 30_000 });
  const commits = log.kind === 'ended' && log.code === 0 ? readCommits(log.stdout.toString('utf8')) : [];
  if (commits.length === 0)
    return fail('conflict', `${branch} has no commit that ${base} does not have`, { reason: 'nothing' });
  const { plan, label } = await tools.wordsOf(place.id);
  const address = parseRemoteUrl(remoteUrl(programs.config, remote));
  return ok({
    ...draftRequest({ commits, plan, label, branch }),
    base,
    branch,
    tool: await findTool(tools, address),
    repository: address.kind === 'host' ? `${address.host}/${address.path}` : remote,
    compare_url: compareUrl(address, base, branch),
    is_pushed: head !== null && head === there,
  });
}

const readCommits = (text: string) =>
  text
    .split('\0')
    .filter((one) => one !== '')
    .map((one) => {
      const [subject = '', body = ''] = one.split('\x1f');
      return { subject, body: body.trim() };
    });

/** A tool is used only if it is logged in to this very host. */
async function findTool({ runAsPerson }: RequestTools, address: RemoteAddress): Promise<'gh' | 'glab' | null> {
  if (address.kind !== 'host' || !/^[a-z0-9.-]+$/.test(address.host)) return null;
  const kind = hostKind(address.host);
  const tools =
    kind === 'github'
      ? ['gh' as const]
      : kind === 'gitlab'
        ? ['glab' as const]
        : kind === null
          ? (['gh', 'glab'] as const)
          : [];
  for (const program of tools) {
    const answer = await runAsPerson({
      program,
      host: address.host,
      cwd: homedir(),
      args: ['auth', 'status', '--hostname', address.host],
      timeoutMs: LOGIN_MS,
      signal: new AbortController().signal,
      onOutput: () => undefined,
    });
    if (answer.kind === 'ended' && answer.code === 0) return program;
  }
  return null;
}

export interface OpenRequest {
  readonly title: string;
  readonly body: string;
  readonly base: string;
  readonly is_draft: boolean;
}

export async function preparePullRequest(
  tools: RequestTools,
  place: Place,
  request: OpenRequest,
): Promise<Result<Job>> {
  const { title, body, base, is_draft } = request;
  if (!isBranchName(base)) return fail('invalid_request', `${JSON.stringify(base)} is no name of a branch`);
  if (/\0/.test(title + body)) return fail('invalid_request', 'a text has no NUL characters');
  const draft = await draftPullRequest(tools, place);
  if (!draft.ok) return draft;
  const { tool, branch, repository, is_pushed, compare_url } = draft.value;
  if (!is_pushed) return fail('conflict', `push ${branch} first: the remote does not have it as it is here`);
  if (tool === null)
    return fail(
      'conflict',
      compare_url === null
        ? 'no program for this host is logged in'
        : `neither gh nor glab is logged in for this host: open ${compare_url}`,
      { compare_url },
    );
  const [host, ...rest] = repository.split('/');
  const args =
    tool === 'gh'
      ? [
          'pr',
          'create',
          '--repo',
          repository,
          '--head',
          branch,
          '--base',
          base,
          '--title',
          title,
          '--body-file',
          '-',
          ...(is_draft ? ['--draft'] : []),
        ]
      : [
          'mr',
          'create',
          '--repo',
          `https://${host}/${rest.join('/')}`,
          '--source-branch',
          branch,
          '--target-branch',
          base,
          '--title',
          title,
          '--description',
          body,
          '--yes',
          ...(is_draft ? ['--draft'] : []),
        ];
  return ok(async (context) => {
    const answer = await context.run({
      program: tool,
      ...(host !== undefined && { host }),
      cwd: homedir(),
      args,
      stdin: Buffer.from(body),
      timeoutMs: OPEN_MS,
    });
    if (answer.kind !== 'ended' || answer.code !== 0) return failedRun('pull_request', answer, context);
    // An address of another host is none of the request.
    const printed = [...answer.stdout.matchAll(/https?:\/\/[^\s]+/g)].map(([one]) => one);
    const url = printed.findLast((one) => URL.canParse(one) && new URL(one).hostname === host) ?? null;
    if (url !== null) tools.onRequest(place.id, { tool, url, branch });
    return doneAt(tools.git, place, url);
  });
}

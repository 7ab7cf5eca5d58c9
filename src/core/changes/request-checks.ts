/** The checks of a pull request: what gh and glab say of them, when to ask again, and the event that tells their outcome. Pure. */
import { type FollowedRequest, GhAnswer, GlabAnswer } from '../../contract/request-checks.ts';
import { trimEndOf } from '../text/trim-end.ts';

interface FailedCheck {
  readonly name: string;
  readonly url: string | null;
}

export interface RequestChecks {
  /** The commit that was checked. */
  readonly commit: string;
  /** closed: merged too. Nothing is asked any more. */
  readonly state: 'none' | 'pending' | 'passed' | 'failed' | 'closed';
  readonly passed: number;
  readonly failed: readonly FailedCheck[];
}

/** Null for an answer of another shape. */
export function readChecks(tool: FollowedRequest['tool'], json: unknown): RequestChecks | null {
  if (tool === 'glab') return readGlab(json);
  const answer = GhAnswer.safeParse(json).data;
  if (answer === undefined) return null;
  const checks = (answer.statusCheckRollup ?? []).map((one) => ({
    name: one.name ?? one.context ?? 'a check',
    url: one.detailsUrl ?? one.targetUrl ?? null,
    outcome: outcomeOf(one.state ?? (one.status === 'COMPLETED' ? one.conclusion : 'PENDING')),
  }));
  const failed = checks.filter(({ outcome }) => outcome === 'failed').map(({ name, url }) => ({ name, url }));
  const passed = checks.filter(({ outcome }) => outcome === 'passed').length;
  const isPending = checks.some(({ outcome }) => outcome === 'pending');
  const state = answer.state !== 'OPEN' ? 'closed' : isPending ? 'pending' : stateOf(failed.length, checks.length);
  return { commit: answer.headRefOid, state, passed, failed };
}

function readGlab(json: unknown): RequestChecks | null {
  const answer = GlabAnswer.safeParse(json).data;
  if (answer === undefined) return null;
  const { sha: commit, head_pipeline: pipeline } = answer;
  if (answer.state !== 'opened') return { commit, state: 'closed', passed: 0, failed: [] };
  if (pipeline === null || pipeline === undefined) return { commit, state: 'none', passed: 0, failed: [] };
  const outcome = outcomeOf(pipeline.status);
  const failed = outcome === 'failed' ? [{ name: 'pipeline', url: pipeline.web_url ?? null }] : [];
  return { commit, state: outcome, passed: outcome === 'passed' ? 1 : 0, failed };
}

const stateOf = (failed: number, all: number) => (all === 0 ? 'none' : failed > 0 ? 'failed' : 'passed');

/** Words of both hosts. One that is not known is waited for: the person looks at the page of the host then. */
function outcomeOf(word: string | null | undefined): 'passed' | 'failed' | 'pending' {
  switch ((word ?? '').toLowerCase()) {
    case 'success':
    case 'neutral':
    case 'skipped':
      return 'passed';
    case 'failure':
    case 'failed':
    case 'error':
    case 'cancelled':
    case 'canceled':
    case 'timed_out':
    case 'startup_failure':
    case 'action_required':
      return 'failed';
    default:
      return 'pending';
  }
}

/** Hosts list the checks of a new request within some seconds. */
const FIRST_MS = 5_000;
const OFTEN_MS = 30_000;
const OFTEN_FOR_MS = 3_600_000;
/** Each question is a request to the host with the person's login, which allows some thousands an hour. */
const SELDOM_MS = 5 * 60_000;
const GIVE_UP_MS = 7 * 24 * 3_600_000;

/** When the host is asked next; null when it is not asked any more. Often in the first hour, when most checks end. */
export function nextAskMs(request: FollowedRequest, nowMs: number): number | null {
  const { opened_ms: opened, asked_ms: asked } = request;
  if (nowMs - opened > GIVE_UP_MS) return null;
  if (asked === null) return opened + FIRST_MS;
  // A clock that was set back must not stop the questions.
  const last = Math.min(asked, nowMs);
  return last + (nowMs - opened < OFTEN_FOR_MS ? OFTEN_MS : SELDOM_MS);
}

/** The same for the same outcome of the same commit; null where there is nothing to tell. */
export function outcomeKey({ state, commit, failed, passed }: RequestChecks): string | null {
  if (state !== 'passed' && state !== 'failed') return null;
  return `${commit.slice(0, 40)} ${state} ${failed.length}/${failed.length + passed}`;
}

/** Names of checks come from workflows that anybody may have written: in titles and lists, never in the words that a person would send. */
const MAX_NAMED = 20;
const MAX_NAME_CHARS = 120;

/** `address`: of the thread. The event has the same id whenever the same outcome is told, so that the ledger keeps it once. */
export function eventOfChecks(request: FollowedRequest, checks: RequestChecks, at: { address: string; nowMs: number }) {
  const { url, branch, tool } = request;
  const isFailed = checks.state === 'failed';
  const names = checks.failed.slice(0, MAX_NAMED).map(({ name }) => plain(name).slice(0, MAX_NAME_CHARS));
  const number = trimEndOf(url, '/').split('/').at(-1) ?? '';
  const all = checks.failed.length + checks.passed;
  return {
    schema_version: 1,
    event_id: `${url.slice(-150)} ${outcomeKey(checks) ?? checks.commit}`,
    time_unix_ms: at.nowMs,
    type: `pull_request.checks_${isFailed ? 'failed' : 'passed'}`,
    severity: isFailed ? 'error' : 'info',
    source: { name: tool === 'gh' ? 'github' : 'gitlab', url },
    routing: { thread_id: at.address },
    title: isFailed
      ? `Pull request ${number}: ${checks.failed.length} of ${all} checks failed`
      : `Pull request ${number}: ${all} of ${all} checks passed`,
    summary: isFailed ? `Failed: ${names.join(', ')}` : '',
    payload: { branch, commit: checks.commit, failed: names },
    artifacts: [
      { kind: 'pull_request', ref: { type: 'url', url } },
      ...checks.failed
        .slice(0, MAX_NAMED)
        .filter((one): one is { name: string; url: string } => /^https?:\/\//.test(one.url ?? ''))
        .map((one) => ({
          kind: 'log',
          title: plain(one.name).slice(0, MAX_NAME_CHARS),
          ref: { type: 'url', url: one.url.slice(0, 2_048) },
        })),
    ],
    ...(isFailed && {
      suggested_actions: [
        {
          action_id: 'fix_checks',
          title: 'Ask Codex to fix this',
          kind: 'start_turn',
          args: { prompt: `Checks of the pull request ${url} failed. Find out why, and fix the cause.` },
        },
      ],
    }),
  };
}

/** On one line. */
const plain = (name: string): string => name.replace(/[\x00-\x1f\x7f]/g, ' ');

/** The address of a pull request as a tool printed it: nothing in it can end a word or hide one. */
export const isRequestUrl = (url: string): boolean => /^https?:\/\/[a-z0-9.:-]+\/[\w./~%-]+$/i.test(url);

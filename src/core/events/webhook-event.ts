/** What a webhook says → envelope v1. Only fields that help a reader are taken; the rest stays behind its URL. Pure. */

import { EVENT_NAME_PATTERN, type Severity, type Webhook } from '../../contract/external-event.ts';
import { isRecord } from '../text/is-record.ts';

export interface WebhookRequest {
  readonly provider: Webhook;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly now: number;
  /** For a provider that names its deliveries nowhere: a digest of the body. */
  readonly digest: string;
}

type Tree = Readonly<Record<string, unknown>>;

/** Without routing: the path of the request names the thread. */
export function eventOfWebhook(request: WebhookRequest): Tree {
  switch (request.provider) {
    case 'github':
      return ofGitHub(request);
    case 'gitlab':
      return ofGitLab(request);
    case 'buildkite':
      return ofBuildkite(request);
    case 'standard':
      return ofStandard(request);
    default:
      return request.provider satisfies never;
  }
}

const FAILED = /^(fail|error|cancel|timed_out|action_required|startup_failure|changes_requested|broken|not_run)/i;

function severityOf(...words: readonly unknown[]): Severity {
  return words.some((word) => typeof word === 'string' && FAILED.test(word)) ? 'error' : 'info';
}

function ofGitHub({ headers, body, now, digest }: WebhookRequest): Tree {
  const kind = wordOf(headers['x-github-event'] ?? 'event');
  // Some kinds are about the body as a whole: a push, the status of a commit.
  const subject =
    tree(body, kind) ??
    tree(body, 'workflow_run') ??
    tree(body, 'pull_request') ??
    tree(body, 'issue') ??
    (isRecord(body) ? body : {});
  const action = text(body, 'action');
  const conclusion = text(tree(body, 'review'), 'state') ?? text(subject, 'conclusion') ?? text(subject, 'state');
  const name =
    nameOfGitHub(kind, body) ??
    text(subject, 'name') ??
    text(subject, 'title') ??
    text(tree(body, 'pull_request'), 'title');
  const run = subject.id ?? subject.number;
  return envelope({
    id: idOf(headers['x-github-delivery'], digest),
    now,
    type: `github.${kind}`,
    severity: severityOf(conclusion, text(tree(body, 'deployment_status'), 'state')),
    name: 'github',
    instance: text(tree(body, 'repository'), 'full_name'),
    run: run === undefined ? undefined : String(run),
    url:
      text(tree(body, 'comment'), 'html_url') ??
      text(subject, 'html_url') ??
      text(body, 'target_url') ??
      text(body, 'compare') ??
      text(tree(body, 'repository'), 'html_url'),
    title: join(kind.replaceAll('_', ' '), name),
    summary: join(
      action,
      conclusion,
      text(subject, 'head_branch'),
      text(tree(body, 'comment'), 'body') ??
        text(tree(body, 'review'), 'body') ??
        text(body, 'description') ??
        text(tree(body, 'head_commit'), 'message') ??
        text(body, 'zen'),
    ),
    payload: {
      action,
      conclusion,
      sha: text(subject, 'head_sha') ?? text(body, 'after') ?? text(body, 'sha'),
      sender: text(tree(body, 'sender'), 'login'),
    },
  });
}

/** Where the name of a thing is not called so. */
function nameOfGitHub(kind: string, body: unknown): string | undefined {
  switch (kind) {
    case 'push':
      return text(body, 'ref');
    case 'status':
      return text(body, 'context');
    case 'ping':
      return 'the webhook works';
    case 'check_suite':
      return text(tree(tree(body, 'check_suite'), 'app'), 'name');
    case 'deployment_status':
      return text(tree(body, 'deployment_status'), 'environment');
    default:
      return undefined;
  }
}

function ofGitLab({ headers, body, now, digest }: WebhookRequest): Tree {
  const kind = wordOf((headers['x-gitlab-event'] ?? 'event').replace(/ Hook$/, ''));
  const subject = tree(body, 'object_attributes') ?? (isRecord(body) ? body : {});
  const status = text(subject, 'status') ?? text(body, 'build_status') ?? text(subject, 'state');
  const run = subject.id ?? (isRecord(body) ? body.build_id : undefined);
  return envelope({
    id: idOf(headers['idempotency-key'] ?? headers['webhook-id'] ?? headers['x-gitlab-event-uuid'], digest),
    now,
    type: `gitlab.${kind}`,
    severity: severityOf(status),
    name: 'gitlab',
    instance: text(tree(body, 'project'), 'path_with_namespace'),
    run: run === undefined ? undefined : String(run),
    url: text(subject, 'url') ?? text(tree(body, 'project'), 'web_url'),
    title: join(kind.replaceAll('_', ' '), text(subject, 'title') ?? text(body, 'build_name') ?? text(subject, 'ref')),
    summary: join(status, text(subject, 'ref'), text(subject, 'note') ?? lastCommit(body)),
    payload: { status, ref: text(subject, 'ref'), user: text(tree(body, 'user'), 'username') },
  });
}

/** A push of GitLab lists its commits, the newest last. */
function lastCommit(body: unknown): string | undefined {
  const commits = isRecord(body) && Array.isArray(body.commits) ? body.commits : [];
  return text(commits.at(-1), 'message') ?? text(commits.at(-1), 'title');
}

function ofBuildkite({ headers, body, now, digest }: WebhookRequest): Tree {
  const kind = headers['x-buildkite-event'] ?? text(body, 'event') ?? 'event';
  const build = tree(body, 'build') ?? {};
  const job = tree(body, 'job');
  const state = text(job, 'state') ?? text(build, 'state');
  const pipeline = text(tree(body, 'pipeline'), 'slug');
  const id = text(job, 'id') ?? text(build, 'id');
  return envelope({
    id: idOf(headers['x-buildkite-request'] ?? (id && `${id}:${kind}:${state ?? ''}`), digest),
    now,
    type: `buildkite.${wordOf(kind)}`,
    severity: severityOf(state),
    name: 'buildkite',
    instance: pipeline,
    run: text(build, 'id'),
    url: text(build, 'web_url'),
    title: join(pipeline, kind, state),
    summary: join(text(build, 'message'), text(build, 'branch')),
    payload: { state, number: build.number, commit: text(build, 'commit') },
  });
}

/** The body may be an envelope of ours; otherwise its `type` and `data` are told as they are. */
function ofStandard({ headers, body, now, digest }: WebhookRequest): Tree {
  const id = idOf(headers['webhook-id'], digest);
  if (isRecord(body) && body.schema_version === 1) {
    const source = isRecord(body.source) ? body.source : {};
    return { ...body, event_id: id, source: { ...source, name: 'webhook' } };
  }
  const type = wordOf(text(body, 'type') ?? 'event');
  const data = tree(body, 'data') ?? {};
  return envelope({
    id,
    now,
    type,
    severity: severityOf(text(data, 'status'), type.split('.').at(-1)),
    name: 'webhook',
    instance: undefined,
    run: text(data, 'id'),
    url: text(data, 'url'),
    title: text(data, 'title') ?? type,
    summary: text(data, 'summary') ?? '',
    payload: data,
  });
}

interface Facts {
  readonly id: string;
  readonly now: number;
  readonly type: string;
  readonly severity: Severity;
  readonly name: string;
  readonly instance: string | undefined;
  readonly run: string | undefined;
  readonly url: string | undefined;
  readonly title: string;
  readonly summary: string;
  readonly payload: Tree;
}

/** Longer texts stay behind the URL. */
const MAX_TEXT_CHARS = 4_000;

function envelope(facts: Facts): Tree {
  const { instance, run, url } = facts;
  return {
    schema_version: 1,
    event_id: facts.id,
    time_unix_ms: facts.now,
    // A cut must not leave a dot at the end.
    type: facts.type.slice(0, 128).replace(/\.$/, ''),
    severity: facts.severity,
    source: {
      name: facts.name,
      ...(instance !== undefined && { instance: instance.slice(0, 512) }),
      ...(run !== undefined && { run_id: run.slice(0, 256) }),
      ...(url !== undefined && { url: url.slice(0, 2048) }),
    },
    title: facts.title.slice(0, MAX_TEXT_CHARS),
    summary: facts.summary.slice(0, MAX_TEXT_CHARS),
    payload: Object.fromEntries(Object.entries(facts.payload).filter(([, value]) => value !== undefined)),
  };
}

/** What the provider calls the delivery, where that is a name an event can have. */
function idOf(given: string | undefined, digest: string): string {
  const id = given?.slice(0, 256) ?? '';
  return EVENT_NAME_PATTERN.test(id) ? id : digest;
}

/** Dot-separated words, whatever a provider calls its events. */
function wordOf(name: string): string {
  const words = name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9_.-]+/g, '_')
    .split('.')
    .filter((word) => word !== '');
  return words.length === 0 ? 'event' : words.join('.');
}

const join = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(': ');

function tree(value: unknown, key: string): Tree | undefined {
  const inner = isRecord(value) ? value[key] : undefined;
  return isRecord(inner) ? inner : undefined;
}

function text(value: unknown, key: string): string | undefined {
  const inner = isRecord(value) ? value[key] : undefined;
  return typeof inner === 'string' ? inner : undefined;
}

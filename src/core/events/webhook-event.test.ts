/** What becomes of a webhook: a table of what providers send, and the promise that nothing they send makes a bad envelope. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExternalEventInput } from '../../contract/external-event.ts';
import { eventOfWebhook, type WebhookRequest } from './webhook-event.ts';

const THREAD = { thread_id: '01a1e140-931d-7181-af3b-73f1157d5f32' };
const ask = (provider: WebhookRequest['provider'], headers: Record<string, string>, body: unknown) =>
  eventOfWebhook({ provider, headers, body, now: 5, digest: 'digest' });

describe('[EV16] what a reader is told', () => {
  test('a workflow run of GitHub', () => {
    const body = {
      action: 'completed',
      workflow_run: {
        id: 42,
        name: 'CI',
        conclusion: 'failure',
        head_branch: 'main',
        head_sha: 'abc',
        html_url: 'https://github.com/o/r/actions/runs/42',
      },
      repository: { full_name: 'o/r' },
      sender: { login: 'dev' },
    };
    const headers = { 'x-github-event': 'workflow_run', 'x-github-delivery': 'd-1' };
    expect(ask('github', headers, body)).toEqual({
      schema_version: 1,
      event_id: 'd-1',
      time_unix_ms: 5,
      type: 'github.workflow_run',
      severity: 'error',
      source: { name: 'github', instance: 'o/r', run_id: '42', url: 'https://github.com/o/r/actions/runs/42' },
      title: 'workflow run: CI',
      summary: 'completed: failure: main',
      payload: { action: 'completed', conclusion: 'failure', sha: 'abc', sender: 'dev' },
    });
  });

  test('a review of GitHub is named after its pull request', () => {
    const body = {
      action: 'submitted',
      review: { state: 'changes_requested' },
      pull_request: { number: 7, title: 'Fix the door', html_url: 'https://github.com/o/r/pull/7' },
    };
    expect(ask('github', { 'x-github-event': 'pull_request_review' }, body)).toMatchObject({
      event_id: 'digest',
      type: 'github.pull_request_review',
      severity: 'error',
      source: { run_id: '7' },
      title: 'pull request review: Fix the door',
    });
  });

  test('a pipeline of GitLab', () => {
    const body = {
      object_attributes: { id: 31, ref: 'main', status: 'failed', url: 'https://gitlab.com/o/r/-/pipelines/31' },
      project: { path_with_namespace: 'o/r' },
      user: { username: 'dev' },
    };
    const headers = { 'x-gitlab-event': 'Pipeline Hook', 'x-gitlab-event-uuid': 'later', 'idempotency-key': 'first' };
    expect(ask('gitlab', headers, body)).toEqual({
      schema_version: 1,
      event_id: 'first',
      time_unix_ms: 5,
      type: 'gitlab.pipeline',
      severity: 'error',
      source: { name: 'gitlab', instance: 'o/r', run_id: '31', url: 'https://gitlab.com/o/r/-/pipelines/31' },
      title: 'pipeline: main',
      summary: 'failed: main',
      payload: { status: 'failed', ref: 'main', user: 'dev' },
    });
  });

  test('a job of GitLab, whose facts stand at the top', () => {
    const body = { build_id: 9, build_name: 'lint', build_status: 'success', ref: 'main' };
    expect(ask('gitlab', { 'x-gitlab-event': 'Job Hook' }, body)).toMatchObject({
      type: 'gitlab.job',
      severity: 'info',
      source: { run_id: '9' },
      title: 'job: lint',
      summary: 'success: main',
    });
  });

  test('a build of Buildkite is one event for each state it is in', () => {
    const body = (state: string) => ({
      event: 'build.finished',
      build: { id: 'b', state, number: 3, message: 'Fix', branch: 'main', commit: 'abc', web_url: 'https://bk/3' },
      pipeline: { slug: 'site' },
    });
    expect(ask('buildkite', {}, body('failed'))).toEqual({
      schema_version: 1,
      event_id: 'b:build.finished:failed',
      time_unix_ms: 5,
      type: 'buildkite.build.finished',
      severity: 'error',
      source: { name: 'buildkite', instance: 'site', run_id: 'b', url: 'https://bk/3' },
      title: 'site: build.finished: failed',
      summary: 'Fix: main',
      payload: { state: 'failed', number: 3, commit: 'abc' },
    });
    expect(ask('buildkite', {}, body('passed'))).toMatchObject({
      event_id: 'b:build.finished:passed',
      severity: 'info',
    });
    expect(ask('buildkite', { 'x-buildkite-request': 'r' }, body('passed'))).toMatchObject({ event_id: 'r' });
  });

  test('a standard webhook is told as it is', () => {
    const body = { type: 'deploy.failed', data: { id: 'd1', title: 'Deploy', url: 'https://d/1', summary: 'no disk' } };
    expect(ask('standard', { 'webhook-id': 'w' }, body)).toEqual({
      schema_version: 1,
      event_id: 'w',
      time_unix_ms: 5,
      type: 'deploy.failed',
      severity: 'error',
      source: { name: 'webhook', run_id: 'd1', url: 'https://d/1' },
      title: 'Deploy',
      summary: 'no disk',
      payload: body.data,
    });
  });

  test('an envelope of ours keeps its words, and says neither its own id nor who sent it', () => {
    const body = {
      schema_version: 1,
      event_id: 'mine',
      type: 'a.b',
      source: { name: 'board', run_id: 'r' },
      title: 'T',
    };
    expect(ask('standard', { 'webhook-id': 'w' }, body)).toEqual({
      ...body,
      event_id: 'w',
      source: { name: 'webhook', run_id: 'r' },
    });
  });
});

test.each([
  ['success', 'info'],
  ['failure', 'error'],
  ['timed_out', 'error'],
  ['cancelled', 'error'],
  ['action_required', 'error'],
  ['startup_failure', 'error'],
  ['neutral', 'info'],
  [undefined, 'info'],
])('[EV16] a run that ended with %s is %s', (conclusion, severity) => {
  const body = { check_run: { conclusion } };
  expect(ask('github', { 'x-github-event': 'check_run' }, body)).toMatchObject({ severity });
});

test('[EV16] a type that is too long is cut to one that is a type', () => {
  const event = { ...ask('standard', {}, { type: `${'a'.repeat(127)}.b`, data: {} }), routing: THREAD };
  expect(ExternalEventInput.parse(event).type).toBe('a'.repeat(127));
});

test('[EV16] whatever a provider sends is an envelope the intake takes', () => {
  const names = [
    'x-github-event',
    'x-github-delivery',
    'x-gitlab-event',
    'x-gitlab-event-uuid',
    'idempotency-key',
    'x-buildkite-event',
    'x-buildkite-request',
  ];
  const headers = fc.dictionary(fc.constantFrom(...names), fc.string({ maxLength: 300 }));
  const provider = fc.constantFrom('github', 'gitlab', 'buildkite');
  const key = fc.constantFrom('workflow_run', 'object_attributes', 'build', 'job', 'pipeline', 'project', 'repository');
  const field = fc.constantFrom('id', 'name', 'state', 'status', 'url', 'html_url', 'web_url', 'title', 'slug', 'ref');
  const value = fc.oneof(fc.string({ maxLength: 5_000 }), fc.jsonValue());
  const body = fc.oneof(fc.jsonValue(), fc.dictionary(key, fc.oneof(value, fc.dictionary(field, value))));
  fc.assert(
    fc.property(provider, headers, body, (name, given, told) => {
      const event = { ...ask(name, given, told), routing: THREAD };
      expect(ExternalEventInput.safeParse(event).error?.issues).toBeUndefined();
    }),
    { numRuns: 1_000 },
  );
});

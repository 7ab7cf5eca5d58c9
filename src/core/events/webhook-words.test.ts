/** What a person reads of the webhooks that come most. The bodies are those of the providers, cut to what is looked at. */
import { expect, test } from 'vitest';
import type { Webhook } from '../../contract/external-event.ts';
import { eventOfWebhook } from './webhook-event.ts';

const made = (provider: Webhook, headers: Record<string, string>, body: unknown) =>
  eventOfWebhook({ provider, headers, body, now: 1, digest: 'd' });
const github = (kind: string, body: object) =>
  made('github', { 'x-github-event': kind, 'x-github-delivery': 'x' }, { repository: { full_name: 'o/r' }, ...body });

test.each([
  ['ping', { zen: 'Keep it logically awesome.' }, 'info', 'ping: the webhook works', 'Keep it logically awesome.'],
  [
    'push',
    { ref: 'refs/heads/main', after: 'abc', compare: 'https://x/c', head_commit: { message: 'Add --foo' } },
    'info',
    'push: refs/heads/main',
    'Add --foo',
  ],
  [
    'status',
    { id: 5, state: 'failure', context: 'ci/linux', description: '2 tests failed', target_url: 'https://ci/5' },
    'error',
    'status: ci/linux',
    'failure: 2 tests failed',
  ],
  [
    'check_suite',
    { action: 'completed', check_suite: { conclusion: 'success', head_branch: 'main', app: { name: 'Actions' } } },
    'info',
    'check suite: Actions',
    'completed: success: main',
  ],
  [
    'workflow_job',
    { action: 'completed', workflow_job: { name: 'linux', conclusion: 'cancelled', head_branch: 'dev' } },
    'error',
    'workflow job: linux',
    'completed: cancelled: dev',
  ],
  [
    'deployment_status',
    { action: 'created', deployment_status: { state: 'error', environment: 'production' } },
    'error',
    'deployment status: production',
    'created: error',
  ],
  [
    'pull_request_review',
    {
      action: 'submitted',
      pull_request: { title: 'Parser', state: 'open' },
      review: { state: 'changes_requested', body: 'No.' },
    },
    'error',
    'pull request review: Parser',
    'submitted: changes_requested: No.',
  ],
  [
    'issue_comment',
    {
      action: 'created',
      issue: { title: 'Broken', state: 'open' },
      comment: { body: 'Same here', html_url: 'https://c' },
    },
    'info',
    'issue comment: Broken',
    'created: open: Same here',
  ],
])('[EV16] GitHub: %s', (kind, body, severity, title, summary) => {
  expect(github(kind, body)).toMatchObject({ type: `github.${kind}`, severity, title, summary });
});

test('[EV16] a link leads to what it is about', () => {
  const urls = [
    github('push', { compare: 'https://x/c' }),
    github('status', { target_url: 'https://ci/5' }),
    github('issue_comment', { issue: { html_url: 'https://i' }, comment: { html_url: 'https://c' } }),
  ];
  expect(urls.map(({ source }) => source)).toMatchObject([
    { url: 'https://x/c' },
    { url: 'https://ci/5' },
    { url: 'https://c' },
  ]);
});

test('[EV16] GitLab: a push and a job', () => {
  const hook = (kind: string, body: object) => made('gitlab', { 'x-gitlab-event': kind }, body);
  const push = hook('Push Hook', { ref: 'refs/heads/main', commits: [{ message: 'one' }, { message: 'two' }] });
  expect(push).toMatchObject({ title: 'push: refs/heads/main', summary: 'refs/heads/main: two', severity: 'info' });
  const job = hook('Job Hook', { build_id: 3, build_name: 'test', build_status: 'failed', ref: 'main' });
  expect(job).toMatchObject({
    title: 'job: test',
    summary: 'failed: main',
    severity: 'error',
    source: { run_id: '3' },
  });
});

/**
 * Routes that ship the work of a conversation: commit, branches, pull, push, pull request. A session does them; a token needs a person at a
 * terminal for each. What the repository itself would run has to be trusted first. An action answers at once; its run is read until it ended.
 */
import { z } from 'zod';
import { Confirm } from './access.ts';
import { Branch } from './branches.ts';
import { RepositoryStatus } from './changes.ts';
import { base, conversationParam, integerQuery, type RouteDef } from './route.ts';
import { ProgramsHash, PullRequestDraft, RepositoryPrograms, ShipRemote, ShipRun } from './ship.ts';

const FAULTS = ['unknown_conversation', 'not_found', 'conflict', 'missing_cwd', 'no_answer', 'storage_full'] as const;
const ACT_FAULTS = [...FAULTS, 'stale', 'storage_failed', 'confirmation_required'] as const;
const path = z.string().min(1).max(4096);
const branch = z.string().min(1).max(250);

const shared = {
  /** The programs of the repository as the person saw them; refused with `stale` if others would run. */
  programs: ProgramsHash.optional(),
  /** For a token, and for what is confirmed twice. */
  confirm: Confirm.optional(),
};
const Started = z.object({ run: ShipRun });
const at = `${base}/conversations/{id}/ship`;

export const SHIP_ROUTES = {
  readShip: {
    method: 'GET',
    path: at,
    scope: 'read',
    summary:
      'What a commit, a switch, a pull and a push would work with: status, branches, remotes, programs of the repository',
    params: conversationParam,
    output: z.object({
      /** Null outside a repository; `reason` says why. */
      repository: RepositoryStatus.nullable(),
      reason: z.string().nullable(),
      branches: z.array(Branch),
      base: z.string().nullable(),
      remotes: z.array(ShipRemote),
      /** Where a push goes; null without a remote. */
      push_remote: z.string().nullable(),
      programs: RepositoryPrograms.nullable(),
      /** The newest run in this work tree. */
      run: ShipRun.nullable(),
    }),
    errors: [...FAULTS],
  },
  suggestCommit: {
    method: 'GET',
    path: `${at}/message`,
    scope: 'read',
    summary:
      "A message for a commit, from the changed files and the conversation's last message, with the person's template",
    params: conversationParam,
    /** `template`: the template alone, without its comments. */
    query: z.object({ what: z.enum(['staged', 'all', 'last_commit', 'template']).default('staged') }),
    output: z.object({ message: z.string() }),
    errors: [...FAULTS],
  },
  draftPullRequest: {
    method: 'GET',
    path: `${at}/pull-request`,
    scope: 'read',
    summary: 'Title and text of a pull request, from the commits and the plan, and how it can be opened',
    params: conversationParam,
    output: z.object({ draft: PullRequestDraft }),
    errors: [...FAULTS],
  },
  readShipRun: {
    method: 'GET',
    path: `${at}/run`,
    scope: 'read',
    summary: 'The newest action in this work tree; waits up to 20 seconds for a change after a version',
    params: conversationParam,
    query: z.object({ after: integerQuery.optional() }),
    output: z.object({ run: ShipRun.nullable() }),
    errors: [...FAULTS],
  },
  cancelShipRun: {
    method: 'POST',
    path: `${at}/run/cancel`,
    scope: 'operate',
    summary: 'Ends the running action and what it started. A person only',
    params: conversationParam,
    body: z.object({ run: z.string().min(1).max(100), confirm: Confirm.optional() }),
    output: Started,
    errors: [...FAULTS, 'confirmation_required'],
  },
  commitChanges: {
    method: 'POST',
    path: `${at}/commit`,
    scope: 'operate',
    summary: 'A commit as `git commit` makes it, with hooks, filters and signature. A person only',
    params: conversationParam,
    body: z.object({
      /** May be empty for an amendment, which then keeps its message. */
      message: z.string().max(32_768),
      /** all: every tracked change · paths: these files, also new ones. */
      what: z.enum(['staged', 'all', 'paths']).default('staged'),
      paths: z.array(path).max(1_000).default([]),
      amend: z.boolean().default(false),
      ...shared,
    }),
    output: Started,
    errors: [...ACT_FAULTS],
  },
  createBranch: {
    method: 'POST',
    path: `${at}/branch`,
    scope: 'operate',
    summary: 'A new branch here, and the work tree on it. Changes that are not committed come along. A person only',
    params: conversationParam,
    body: z.object({ name: branch, from: z.string().min(1).max(400).optional(), ...shared }),
    output: Started,
    errors: [...ACT_FAULTS],
  },
  switchBranch: {
    method: 'POST',
    path: `${at}/switch`,
    scope: 'operate',
    summary:
      'The work tree on another branch; a branch of a remote gets a local one. The files are kept first. A person only',
    params: conversationParam,
    body: z.object({
      /** A short name, or `refs/remotes/…`. */
      branch: z.string().min(1).max(400),
      /** Replace changes that are not committed. */
      overwrite: z.boolean().default(false),
      ...shared,
    }),
    output: Started,
    errors: [...ACT_FAULTS],
  },
  pullChanges: {
    method: 'POST',
    path: `${at}/pull`,
    scope: 'operate',
    summary: 'Fetches the upstream branch and brings it in. With conflicts everything stays as it was. A person only',
    params: conversationParam,
    body: z.object({ mode: z.enum(['ff', 'merge', 'rebase']).default('ff'), ...shared }),
    output: Started,
    errors: [...ACT_FAULTS],
  },
  pushChanges: {
    method: 'POST',
    path: `${at}/push`,
    scope: 'operate',
    summary:
      'Pushes the branch under its own name and sets its upstream. Replaces commits of the remote only with a lease, confirmed. A person only',
    params: conversationParam,
    body: z.object({
      remote: z.string().min(1).max(200).optional(),
      force_with_lease: z.boolean().default(false),
      ...shared,
    }),
    output: Started,
    errors: [...ACT_FAULTS],
  },
  openPullRequest: {
    method: 'POST',
    path: `${at}/pull-request`,
    scope: 'operate',
    summary: 'Opens a pull request with gh or glab, where one of them is installed and logged in. A person only',
    params: conversationParam,
    body: z.object({
      title: z.string().min(1).max(1_000),
      body: z.string().max(60_000),
      base: branch,
      is_draft: z.boolean().default(false),
      ...shared,
    }),
    output: Started,
    errors: [...ACT_FAULTS],
  },
} as const satisfies Record<string, RouteDef>;

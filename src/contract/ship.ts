/** What crosses a boundary about shipping: commit, branches, pull, push, pull request. */
import { z } from 'zod';

/** A program that a repository names by itself, so that its author and whoever could write there decide what runs. */
export const RepositoryProgram = z.object({
  /** hook: a script in the folder of hooks · setting: a setting that git could run or be led away by · remote: a repository on this disk, whose hooks run on a push. */
  kind: z.enum(['hook', 'setting', 'remote']),
  /** The hook, the key, or the name of the remote. */
  name: z.string(),
  /** The path or the value, without credentials. */
  detail: z.string(),
});
export type RepositoryProgram = z.infer<typeof RepositoryProgram>;

export const ProgramsHash = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hex digits');

export const RepositoryPrograms = z.object({
  /** Sorted; the first 200. Empty: nothing of the repository runs. */
  items: z.array(RepositoryProgram),
  /** Over names, values and contents: another hash means that something changed. */
  hash: ProgramsHash,
  /** A person let exactly these run, or there are none. */
  is_trusted: z.boolean(),
});
export type RepositoryPrograms = z.infer<typeof RepositoryPrograms>;

export const ShipAction = z.enum(['commit', 'branch', 'switch', 'pull', 'push', 'pull_request']);
export type ShipAction = z.infer<typeof ShipAction>;

/** One hook that git ran, in order. */
export const HookRun = z.object({ name: z.string(), exit_code: z.number().int().nullable() });
export type HookRun = z.infer<typeof HookRun>;

export const ShipFailure = z.object({
  /** What happened, what it means and what to do next. */
  message: z.string(),
  /** Why, for programs that react to it. */
  reason: z.enum([
    'hook',
    'locked',
    'identity',
    'nothing',
    'signing',
    'conflict',
    'overwrite',
    'diverged',
    // The remote has commits that the push would replace.
    'rejected',
    // The remote itself does not want the push: a hook or a protected branch.
    'refused',
    'login',
    'unreachable',
    'time_limit',
    'cancelled',
    'other',
  ]),
  /** Files in conflict, or that would be overwritten. */
  files: z.array(z.string()),
});
export type ShipFailure = z.infer<typeof ShipFailure>;

export const ShipDone = z.object({
  /** The newest commit of the branch afterwards; null before the first one. */
  commit: z.string().nullable(),
  subject: z.string().nullable(),
  branch: z.string().nullable(),
  /** Of a pull request: its address. */
  url: z.string().nullable(),
});
export type ShipDone = z.infer<typeof ShipDone>;

/** One action, from its start on. There is at most one at a time in a work tree. */
export const ShipRun = z.object({
  id: z.string(),
  action: ShipAction,
  state: z.enum(['running', 'done', 'failed']),
  /** Grows with each change of the run. */
  version: z.number().int(),
  /** What git and the hooks printed: beginning and end, at most 64 KiB. A line of progress stands once. */
  output: z.string(),
  hooks: z.array(HookRun),
  /** A commit with the files as they were before, kept for 90 days; null where no file changes. */
  kept: z.string().nullable(),
  done: ShipDone.nullable(),
  failure: ShipFailure.nullable(),
});
export type ShipRun = z.infer<typeof ShipRun>;

export const ShipRemote = z.object({
  name: z.string(),
  /** Without user name and password. */
  url: z.string(),
  /** `github.com`; null for a path on this disk. */
  host: z.string().nullable(),
});
export type ShipRemote = z.infer<typeof ShipRemote>;

export const PullRequestDraft = z.object({
  title: z.string(),
  body: z.string(),
  base: z.string(),
  branch: z.string(),
  /** The program that can open it; null: the person opens `compare_url`. */
  tool: z.enum(['gh', 'glab']).nullable(),
  /** `github.com/owner/name`: where it is opened. */
  repository: z.string(),
  /** The page of the host on which a person opens it; null where the host is not known. */
  compare_url: z.string().nullable(),
  /** The remote has the branch as it is here. */
  is_pushed: z.boolean(),
});
export type PullRequestDraft = z.infer<typeof PullRequestDraft>;

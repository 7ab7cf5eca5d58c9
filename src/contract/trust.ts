/** Workspace trust: what a project's `.codex` folders would run or change, and what a person decided about them. */
import { z } from 'zod';

const FINDING_KINDS = [
  'mcp_server',
  'own_server',
  'hook',
  'program',
  'rules',
  'agent',
  'sandbox',
  'approval',
  'environment',
  'instructions',
  'other',
  'unreadable',
] as const;

/** One thing that a project's configuration would run or change. */
export const Finding = z.object({
  kind: z.enum(FINDING_KINDS),
  /** The file that says so, relative to the folder's directory. */
  file: z.string(),
  /** One sentence in plain words. */
  title: z.string(),
  /** The command line, the values or the key names; empty where the title says all. */
  detail: z.string(),
});
export type Finding = z.infer<typeof Finding>;

/** nothing: it has no effect · trusted: loaded · kept_off: a person said no to this content · unanswered: nobody was asked yet. */
const FolderState = z.enum(['nothing', 'trusted', 'kept_off', 'unanswered']);
export type FolderState = z.infer<typeof FolderState>;

const ContentHash = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hex digits');
const Directory = z.string().min(1).max(4096);

/** A directory with a `.codex` folder that Codex would load for a conversation. */
export const ProjectFolder = z.object({
  path: Directory,
  hash: ContentHash,
  state: FolderState,
  /** A person trusted this folder before, with other content. */
  is_changed: z.boolean(),
  findings: z.array(Finding),
  /** Why the folder cannot be trusted as it is; null if it can. */
  blocked: z.string().nullable(),
});
export type ProjectFolder = z.infer<typeof ProjectFolder>;

export const ProjectTrust = z.object({
  cwd: z.string(),
  /** Something would be loaded, and nobody has answered the question about it. */
  must_ask: z.boolean(),
  folders: z.array(ProjectFolder),
});
export type ProjectTrust = z.infer<typeof ProjectTrust>;

/** What a person decided about one folder with one content. */
export const TrustDecision = z.object({
  path: Directory,
  hash: ContentHash,
  decision: z.enum(['trusted', 'kept_off']),
  decided_at: z.string(),
});
export type TrustDecision = z.infer<typeof TrustDecision>;

/** `trust.json` in the home. */
export const TrustFile = z.object({ version: z.literal(1), decisions: z.array(TrustDecision) });

/** Folders as the person saw them: a decision about content that has changed since is refused. */
export const SeenFolders = z
  .array(z.object({ path: Directory, hash: ContentHash }))
  .min(1)
  .max(64);

/** Every request Codex makes of its client, as a card somebody can answer; and the answers. */
import { z } from 'zod';
import { ApprovalId, ConversationId } from './ids.ts';

const Change = z.object({ path: z.string(), kind: z.string(), diff: z.string(), moved_to: z.string().optional() });

const CommandAsk = z.object({
  kind: z.literal('command'),
  /** The exact string that will run. */
  command: z.string(),
  cwd: z.string().optional(),
  actions: z.array(z.object({ type: z.string(), command: z.string().optional() })),
  /** The rule that "always" would write: an argv prefix, for every project, for good. */
  always_rule: z.array(z.string()).optional(),
  /** Set when what is asked for is reaching a host. */
  network: z.object({ host: z.string(), protocol: z.string().optional() }).optional(),
  /** `stdin`: text typed into a command that already runs. */
  action: z.enum(['run', 'stdin', 'network']),
  /** Codex wants a person's decision each time: no answer covers later commands. */
  once_only: z.literal(true).optional(),
});

const FileChangeAsk = z.object({
  kind: z.literal('file_change'),
  changes: z.array(Change),
  /** Set when Codex asks for write access to a whole directory. */
  grant_root: z.string().optional(),
});

const PermissionsAsk = z.object({
  kind: z.literal('permissions'),
  cwd: z.string().optional(),
  permissions: z.unknown(),
});

/** A question of an MCP server; `mcp_tool` when the question is whether one of its tools may run. */
const ElicitationAsk = z.object({
  kind: z.enum(['elicitation', 'mcp_tool']),
  server: z.string(),
  message: z.string(),
  mode: z.string(),
  schema: z.unknown().optional(),
  url: z.string().optional(),
  tool_input: z.unknown().optional(),
  /** Which "don't ask again" scopes Codex offers. */
  persist: z.array(z.enum(['session', 'always'])),
});

const Question = z.object({
  id: z.string(),
  header: z.string(),
  question: z.string(),
  is_other: z.boolean(),
  is_secret: z.boolean(),
  options: z.array(z.object({ label: z.string(), description: z.string() })),
});

const QuestionsAsk = z.object({ kind: z.literal('questions'), questions: z.array(Question) });

/** A request we do not know: shown as it came. */
const UnknownAsk = z.object({ kind: z.literal('unknown'), method: z.string(), params: z.unknown() });

export const Ask = z.discriminatedUnion('kind', [
  CommandAsk,
  FileChangeAsk,
  PermissionsAsk,
  ElicitationAsk,
  QuestionsAsk,
  UnknownAsk,
]);
export type Ask = z.infer<typeof Ask>;

const DECISIONS = ['accept', 'accept_for_session', 'accept_always', 'decline', 'cancel'] as const;
export type DecisionWord = (typeof DECISIONS)[number];

/** A request waiting for an answer. `approval_id` follows from everything that was shown and asked, so an old id never fits a new request. */
export const PendingApproval = z.object({
  approval_id: ApprovalId,
  conversation_id: ConversationId,
  thread_id: z.string(),
  turn_id: z.string().nullable(),
  item_id: z.string().nullable(),
  kind: z.string(),
  title: z.string(),
  reason: z.string().optional(),
  requested_at_ms: z.number(),
  ask: Ask,
  /** Which decisions make sense for this request, the safe one last. */
  decisions: z.array(z.enum(DECISIONS)),
});
export type PendingApproval = z.infer<typeof PendingApproval>;

export const ApprovalAnswer = z.object({
  decision: z.enum(DECISIONS),
  /** For questions: question id → chosen labels or typed text. */
  answers: z.record(z.string(), z.array(z.string().max(65_536))).optional(),
  /** For elicitations: the form's content, matching its schema. */
  content: z.record(z.string(), z.unknown()).optional(),
  /** For a request of an unknown kind: the raw result to send. */
  result: z.unknown().optional(),
});
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>;

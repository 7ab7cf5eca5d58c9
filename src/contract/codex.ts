/**
 * The part of the app-server protocol we read, as loose schemas: only the fields we use, and a default where a missing
 * field must not cost us the message. The full types of the pinned version are in `generated/`; a test holds the two together.
 */
import { z } from 'zod';
import { RpcId } from './ids.ts';

const text = z.string().catch('');
const optionalText = z.string().nullish().catch(null);
const optionalNumber = z.number().nullish().catch(null);
/** An array whose unreadable elements are dropped instead of failing the whole. */
function tolerantArray<T extends z.ZodType>(element: T) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((all): z.output<T>[] =>
      all.flatMap((one) => {
        const parsed = element.safeParse(one);
        return parsed.success ? [parsed.data] : [];
      }),
    );
}

export const CodexUserInput = z.looseObject({
  type: z.string(),
  text: optionalText,
  url: optionalText,
  path: optionalText,
});

export const CodexCommandAction = z.looseObject({
  type: text,
  command: optionalText,
  name: optionalText,
  path: optionalText,
  query: optionalText,
});

/** `kind` is an object today and was a plain word once. */
const CodexChangeKind = z
  .union([z.string(), z.looseObject({ type: text, move_path: optionalText })])
  .catch('update')
  .transform((kind) =>
    typeof kind === 'string' ? { type: kind, movePath: null } : { type: kind.type, movePath: kind.move_path ?? null },
  );

export const CodexFileChange = z.looseObject({ path: text, kind: CodexChangeKind, diff: text });

/** Every item, whatever its type; `route` reads what its type promises. */
export const CodexItem = z.looseObject({
  type: z.string(),
  id: z.string().min(1),
  clientId: optionalText,
  content: z.unknown().optional(),
  text: optionalText,
  phase: optionalText,
  summary: tolerantArray(z.string()).optional(),
  questions: tolerantArray(z.looseObject({ title: text, options: tolerantArray(z.unknown()) })).optional(),
  command: optionalText,
  cwd: optionalText,
  processId: optionalText,
  source: optionalText,
  status: optionalText,
  commandActions: tolerantArray(CodexCommandAction).optional(),
  aggregatedOutput: optionalText,
  exitCode: optionalNumber,
  durationMs: optionalNumber,
  changes: tolerantArray(CodexFileChange).optional(),
  server: optionalText,
  namespace: optionalText,
  tool: optionalText,
  name: optionalText,
  arguments: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
  contentItems: z.unknown().optional(),
  success: z.boolean().nullish().catch(null),
  output: z.unknown().optional(),
  query: optionalText,
  action: z.unknown().optional(),
  path: optionalText,
  kind: optionalText,
  agentPath: optionalText,
  agentThreadId: optionalText,
  prompt: optionalText,
  receiverThreadIds: tolerantArray(z.string()).optional(),
  review: optionalText,
  fragments: z.unknown().optional(),
});
export type CodexItem = z.infer<typeof CodexItem>;

export const CodexTurnError = z.looseObject({
  message: text,
  codexErrorInfo: z.unknown().optional(),
  additionalDetails: optionalText,
});

export const CodexTurn = z.looseObject({
  id: z.string(),
  /** The turn that this one runs inside: a review has such an inner turn. The turn itself for all others. */
  rootTurnId: optionalText,
  status: text,
  items: tolerantArray(CodexItem),
  error: CodexTurnError.nullish().catch(null),
  startedAt: optionalNumber,
  completedAt: optionalNumber,
  durationMs: optionalNumber,
});
export type CodexTurn = z.infer<typeof CodexTurn>;

export const CodexThreadStatus = z.looseObject({ type: text, activeFlags: tolerantArray(z.string()).optional() });

export const CodexThread = z.looseObject({
  id: z.string(),
  preview: text,
  name: optionalText,
  cwd: text,
  model: optionalText,
  modelProvider: optionalText,
  path: optionalText,
  createdAt: optionalNumber,
  updatedAt: optionalNumber,
  recencyAt: optionalNumber,
  status: CodexThreadStatus.nullish().catch(null),
  parentThreadId: optionalText,
  agentNickname: optionalText,
  historyMode: optionalText,
});
export type CodexThread = z.infer<typeof CodexThread>;

const ids = { threadId: z.string(), turnId: text };
const breakdown = z.looseObject({
  totalTokens: z.number().catch(0),
  inputTokens: z.number().catch(0),
  cachedInputTokens: z.number().catch(0),
  outputTokens: z.number().catch(0),
  reasoningOutputTokens: z.number().catch(0),
});

/** Params of the notifications we act on, by method. */
export const CODEX_NOTIFICATIONS = {
  'thread/started': z.looseObject({ thread: CodexThread }),
  'thread/status/changed': z.looseObject({ threadId: z.string(), status: CodexThreadStatus }),
  'thread/archived': z.looseObject({ threadId: z.string() }),
  'thread/unarchived': z.looseObject({ threadId: z.string() }),
  'thread/deleted': z.looseObject({ threadId: z.string() }),
  'thread/closed': z.looseObject({ threadId: z.string() }),
  'thread/settings/updated': z.looseObject({ threadId: z.string(), threadSettings: z.record(z.string(), z.unknown()) }),
  'thread/compacted': z.looseObject({ ...ids }),
  'thread/tokenUsage/updated': z.looseObject({
    ...ids,
    tokenUsage: z.looseObject({ total: breakdown, last: breakdown, modelContextWindow: optionalNumber }),
  }),
  'turn/started': z.looseObject({ threadId: z.string(), turn: CodexTurn }),
  'turn/completed': z.looseObject({ threadId: z.string(), turn: CodexTurn }),
  'turn/diff/updated': z.looseObject({ ...ids, diff: text }),
  'turn/plan/updated': z.looseObject({
    ...ids,
    explanation: optionalText,
    plan: tolerantArray(z.looseObject({ step: text, status: text })),
  }),
  'item/started': z.looseObject({ ...ids, item: CodexItem, startedAtMs: optionalNumber }),
  'item/completed': z.looseObject({ ...ids, item: CodexItem, completedAtMs: optionalNumber }),
  'item/agentMessage/delta': z.looseObject({ ...ids, itemId: z.string(), delta: z.string() }),
  'item/plan/delta': z.looseObject({ ...ids, itemId: z.string(), delta: z.string() }),
  'item/reasoning/summaryTextDelta': z.looseObject({
    ...ids,
    itemId: z.string(),
    delta: z.string(),
    summaryIndex: z.number().catch(0),
  }),
  'item/reasoning/textDelta': z.looseObject({
    ...ids,
    itemId: z.string(),
    delta: z.string(),
    contentIndex: z.number().catch(0),
  }),
  'item/commandExecution/outputDelta': z.looseObject({ ...ids, itemId: z.string(), delta: z.string() }),
  'item/commandExecution/terminalInteraction': z.looseObject({ ...ids, itemId: z.string(), stdin: text }),
  'item/fileChange/patchUpdated': z.looseObject({
    ...ids,
    itemId: z.string(),
    changes: tolerantArray(CodexFileChange),
  }),
  'item/mcpToolCall/progress': z.looseObject({ ...ids, itemId: z.string(), message: text }),
  'serverRequest/resolved': z.looseObject({ threadId: z.string(), requestId: RpcId }),
  'mcpServer/startupStatus/updated': z.looseObject({
    threadId: optionalText,
    name: text,
    status: text,
    error: optionalText,
  }),
  'account/login/completed': z.looseObject({ success: z.boolean().catch(false), error: optionalText }),
  'account/rateLimits/updated': z.looseObject({ rateLimits: z.unknown() }),
  'model/rerouted': z.looseObject({ ...ids, fromModel: text, toModel: text, reason: z.unknown().optional() }),
  error: z.looseObject({ ...ids, error: CodexTurnError, willRetry: z.boolean().catch(false) }),
  warning: z.looseObject({ threadId: optionalText, message: text }),
  guardianWarning: z.looseObject({ threadId: optionalText, message: text }),
  configWarning: z.looseObject({ summary: text, details: optionalText }),
  deprecationNotice: z.looseObject({ summary: text, details: optionalText }),
} as const;

export type CodexNotificationMethod = keyof typeof CODEX_NOTIFICATIONS;

/** Params of the requests Codex makes of us, by method; one that does not fit is shown as unknown. */
export const CODEX_SERVER_REQUESTS = {
  'item/commandExecution/requestApproval': z.looseObject({
    ...ids,
    itemId: z.string(),
    approvalId: optionalText,
    kind: optionalText,
    command: optionalText,
    cwd: optionalText,
    reason: optionalText,
    commandActions: tolerantArray(CodexCommandAction).optional(),
    proposedExecpolicyAmendment: z.array(z.string()).nullish().catch(null),
    networkApprovalContext: z.looseObject({ host: text, protocol: optionalText }).nullish().catch(null),
  }),
  'item/fileChange/requestApproval': z.looseObject({
    ...ids,
    itemId: z.string(),
    reason: optionalText,
    grantRoot: optionalText,
  }),
  'item/permissions/requestApproval': z.looseObject({
    ...ids,
    itemId: z.string(),
    cwd: optionalText,
    reason: optionalText,
    permissions: z.unknown(),
  }),
  'mcpServer/elicitation/request': z.looseObject({
    threadId: z.string(),
    turnId: optionalText,
    serverName: text,
    mode: text,
    message: optionalText,
    title: optionalText,
    description: optionalText,
    requestedSchema: z.unknown().optional(),
    url: optionalText,
    _meta: z
      .looseObject({
        codex_approval_kind: optionalText,
        persist: tolerantArray(z.enum(['session', 'always'])).optional(),
        tool_params: z.unknown().optional(),
      })
      .nullish()
      .catch(null),
  }),
  'item/tool/requestUserInput': z.looseObject({
    ...ids,
    itemId: z.string(),
    questions: tolerantArray(
      z.looseObject({
        id: z.string(),
        header: text,
        question: text,
        isOther: z.boolean().catch(false),
        isSecret: z.boolean().catch(false),
        options: tolerantArray(z.looseObject({ label: text, description: text }))
          .nullish()
          .catch(null),
      }),
    ),
  }),
  'item/tool/call': z.looseObject({
    ...ids,
    callId: text,
    tool: text,
    namespace: optionalText,
    arguments: z.unknown(),
  }),
  'account/chatgptAuthTokens/refresh': z.looseObject({ reason: optionalText }),
  'attestation/generate': z.looseObject({}),
  'currentTime/read': z.looseObject({ threadId: optionalText }),
  applyPatchApproval: z.looseObject({
    conversationId: z.string(),
    callId: text,
    fileChanges: z.record(z.string(), z.unknown()).catch({}),
    reason: optionalText,
    grantRoot: optionalText,
  }),
  execCommandApproval: z.looseObject({
    conversationId: z.string(),
    callId: text,
    command: tolerantArray(z.string()),
    cwd: optionalText,
    reason: optionalText,
  }),
} as const;

export type CodexServerRequestMethod = keyof typeof CODEX_SERVER_REQUESTS;

/** Results of the requests we make, as far as we read them. */
export const InitializeResult = z.looseObject({ userAgent: text, codexHome: optionalText });
export const ThreadResult = z.looseObject({
  thread: CodexThread,
  model: optionalText,
  cwd: optionalText,
  approvalPolicy: z.unknown().optional(),
  sandbox: z.unknown().optional(),
  collaborationMode: z.unknown().optional(),
  reasoningEffort: optionalText,
  initialTurnsPage: z
    .looseObject({ data: tolerantArray(CodexTurn) })
    .nullish()
    .catch(null),
});
export const TurnResult = z.looseObject({ turn: CodexTurn });
export const SteerResult = z.looseObject({ turnId: text });
export const TurnsPage = z.looseObject({ data: tolerantArray(CodexTurn), nextCursor: optionalText });
export const ThreadsPage = z.looseObject({ data: tolerantArray(CodexThread), nextCursor: optionalText });
export const LoadedThreads = z.looseObject({ data: tolerantArray(z.string()) });
export const RunningCommands = z.looseObject({
  data: tolerantArray(z.looseObject({ itemId: z.string(), processId: z.string(), command: z.string() })),
});
export const KilledCommand = z.looseObject({ terminated: z.boolean() });
export const ModelsPage = z.looseObject({
  data: tolerantArray(
    z.looseObject({
      id: z.string(),
      displayName: optionalText,
      description: optionalText,
      hidden: z.boolean().optional(),
      supportedReasoningEfforts: tolerantArray(z.looseObject({ reasoningEffort: z.string(), description: text })),
      defaultReasoningEffort: optionalText,
      isDefault: z.boolean().catch(false),
    }),
  ),
  nextCursor: optionalText,
});
/** Of Codex's configuration, with all its layers applied, what we use. */
export const ConfigResult = z.looseObject({
  config: z.looseObject({ model: optionalText, model_reasoning_effort: optionalText }),
});
export const AccountResult = z.looseObject({ account: z.unknown(), requiresOpenaiAuth: z.boolean().catch(true) });
export const DeviceLoginResult = z.looseObject({
  loginId: z.string(),
  verificationUrl: z.string(),
  userCode: z.string(),
});
export const CancelLoginResult = z.looseObject({ status: z.string() });

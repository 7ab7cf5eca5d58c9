/** A request Codex makes of us → what to show for it, or how to answer it without asking anybody. */

import type { Ask } from '../../contract/approval.ts';
import type { CodexServerRequestMethod } from '../../contract/codex.ts';
import { CODEX_SERVER_REQUESTS } from '../../contract/codex.ts';
import type { Schema } from '../../contract/schema.ts';
import { isRecord } from '../text/is-record.ts';
import { joinWords } from '../text/shell-words.ts';
import type { Frame } from './frame.ts';
import type { AutoReply, Signal } from './signal.ts';

type RequestFrame = Extract<Frame, { kind: 'request' }>;

interface Reading {
  readonly threadId: string | null;
  readonly turnId: string | null;
  readonly itemId: string | null;
  readonly reason?: string | null | undefined;
  readonly ask?: Ask;
  readonly auto?: AutoReply;
}

/** One method's params, checked and read; null when they do not fit. */
type Reader = (params: unknown) => Reading | null;

function reader<T>(schema: Schema<T>, read: (params: T) => Reading): Reader {
  return (params) => {
    const parsed = schema.safeParse(params);
    return parsed.success ? read(parsed.data) : null;
  };
}

export function requestSignal(epoch: string, frame: RequestFrame): Signal {
  const reading = (isKnown(frame.method) ? READERS[frame.method](frame.params) : null) ?? unknownRequest(frame);
  return {
    type: 'request',
    rpcId: frame.id,
    epoch,
    method: frame.method,
    threadId: reading.threadId,
    turnId: reading.turnId === '' ? null : reading.turnId,
    itemId: reading.itemId,
    reason: reading.reason ?? null,
    ask: reading.ask ?? null,
    auto: reading.auto ?? null,
  };
}

const READERS = {
  'item/commandExecution/requestApproval': reader(
    CODEX_SERVER_REQUESTS['item/commandExecution/requestApproval'],
    (p) => ({
      threadId: p.threadId,
      turnId: p.turnId,
      itemId: p.itemId,
      reason: p.reason,
      ask: {
        kind: 'command',
        action: p.networkApprovalContext ? 'network' : p.kind === 'writeStdin' ? 'stdin' : 'run',
        command: p.command ?? '',
        ...(p.kind === 'humanCommand' && { once_only: true as const }),
        ...(typeof p.cwd === 'string' && { cwd: p.cwd }),
        actions: (p.commandActions ?? []).map(({ type, command }) => ({
          type,
          ...(typeof command === 'string' && { command }),
        })),
        // An empty prefix would allow everything.
        ...(p.proposedExecpolicyAmendment?.length && { always_rule: p.proposedExecpolicyAmendment }),
        ...(p.networkApprovalContext && {
          network: {
            host: p.networkApprovalContext.host,
            ...(p.networkApprovalContext.protocol && { protocol: p.networkApprovalContext.protocol }),
          },
        }),
      },
    }),
  ),
  // The changes are not in the request: `route` joins them from the item.
  'item/fileChange/requestApproval': reader(CODEX_SERVER_REQUESTS['item/fileChange/requestApproval'], (p) => ({
    threadId: p.threadId,
    turnId: p.turnId,
    itemId: p.itemId,
    reason: p.reason,
    ask: { kind: 'file_change', changes: [], ...(typeof p.grantRoot === 'string' && { grant_root: p.grantRoot }) },
  })),
  'item/permissions/requestApproval': reader(CODEX_SERVER_REQUESTS['item/permissions/requestApproval'], (p) => ({
    threadId: p.threadId,
    turnId: p.turnId,
    itemId: p.itemId,
    reason: p.reason,
    ask: { kind: 'permissions', permissions: p.permissions, ...(typeof p.cwd === 'string' && { cwd: p.cwd }) },
  })),
  'mcpServer/elicitation/request': reader(CODEX_SERVER_REQUESTS['mcpServer/elicitation/request'], (p) => ({
    threadId: p.threadId,
    turnId: p.turnId ?? null,
    itemId: null,
    ask: {
      kind: p._meta?.codex_approval_kind === 'mcp_tool_call' ? 'mcp_tool' : 'elicitation',
      server: p.serverName,
      message: p.message ?? p.title ?? p.description ?? '',
      mode: p.mode,
      persist: p._meta?.persist ?? [],
      ...(p.requestedSchema !== undefined && { schema: p.requestedSchema }),
      ...(typeof p.url === 'string' && { url: p.url }),
      ...(p._meta?.tool_params !== undefined && { tool_input: p._meta.tool_params }),
    },
  })),
  'item/tool/requestUserInput': reader(CODEX_SERVER_REQUESTS['item/tool/requestUserInput'], (p) => ({
    threadId: p.threadId,
    turnId: p.turnId,
    itemId: p.itemId,
    ask: {
      kind: 'questions',
      questions: p.questions.map((one) => ({
        id: one.id,
        header: one.header,
        question: one.question,
        is_other: one.isOther,
        is_secret: one.isSecret,
        options: (one.options ?? []).map(({ label, description }) => ({ label, description })),
      })),
    },
  })),
  'item/tool/call': reader(CODEX_SERVER_REQUESTS['item/tool/call'], (p) => ({
    threadId: p.threadId,
    turnId: p.turnId,
    itemId: p.callId,
    auto: { kind: 'no_such_tool', tool: p.namespace ? `${p.namespace}.${p.tool}` : p.tool },
  })),
  'account/chatgptAuthTokens/refresh': reader(CODEX_SERVER_REQUESTS['account/chatgptAuthTokens/refresh'], () => ({
    ...NOWHERE,
    auto: { kind: 'unsupported', what: 'Signalbox does not hold ChatGPT tokens: sign in with Codex itself' },
  })),
  'attestation/generate': reader(CODEX_SERVER_REQUESTS['attestation/generate'], () => ({
    ...NOWHERE,
    auto: { kind: 'unsupported', what: 'attestation is not offered' },
  })),
  'currentTime/read': reader(CODEX_SERVER_REQUESTS['currentTime/read'], (p) => ({
    ...NOWHERE,
    threadId: p.threadId ?? null,
    auto: { kind: 'current_time' },
  })),
  applyPatchApproval: reader(CODEX_SERVER_REQUESTS.applyPatchApproval, (p) => ({
    threadId: p.conversationId,
    turnId: null,
    itemId: p.callId,
    reason: p.reason,
    ask: {
      kind: 'file_change',
      changes: Object.entries(p.fileChanges).map(([path, change]) => legacyChange(path, change)),
      ...(typeof p.grantRoot === 'string' && { grant_root: p.grantRoot }),
    },
  })),
  execCommandApproval: reader(CODEX_SERVER_REQUESTS.execCommandApproval, (p) => ({
    threadId: p.conversationId,
    turnId: null,
    itemId: p.callId,
    reason: p.reason,
    ask: {
      kind: 'command',
      action: 'run',
      command: joinWords(p.command),
      actions: [],
      ...(typeof p.cwd === 'string' && { cwd: p.cwd }),
    },
  })),
} satisfies Record<CodexServerRequestMethod, Reader>;

const NOWHERE = { threadId: null, turnId: null, itemId: null } as const;

function isKnown(method: string): method is CodexServerRequestMethod {
  return Object.hasOwn(CODEX_SERVER_REQUESTS, method);
}

/** Shown as it came, on the thread it names, if it names one. */
function unknownRequest(frame: RequestFrame): Reading {
  const named = isRecord(frame.params) ? frame.params : {};
  const text = (key: string) => (typeof named[key] === 'string' ? String(named[key]) : null);
  return {
    threadId: text('threadId') ?? text('conversationId'),
    turnId: text('turnId'),
    itemId: text('itemId'),
    ask: { kind: 'unknown', method: frame.method, params: frame.params },
  };
}

function legacyChange(path: string, change: unknown) {
  const record = isRecord(change) ? change : {};
  const kind = typeof record.type === 'string' ? record.type : (Object.keys(record)[0] ?? 'update');
  const body = isRecord(record[kind]) ? record[kind] : record;
  const diff = body.unified_diff ?? body.content ?? '';
  return { path, kind, diff: typeof diff === 'string' ? diff : '' };
}

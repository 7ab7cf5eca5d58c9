/** A method on `/rpc` and its parameters → what it means here. The server owns the settings: none in the parameters reaches Codex. Pure. */
import { type ImageInput, SettingsPatch } from '../../contract/conversation.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { InterruptParams, MessageParams, ResumeParams, StartParams } from '../../contract/rpc.ts';
import { describeIssue } from '../text/describe-issue.ts';

export type RpcCall =
  /** Goes to Codex as it came. */
  | { readonly act: 'read' }
  /** `settings`: for a conversation that is made by the call, with the rights of the route that makes one. */
  | { readonly act: 'start'; readonly settings: SettingsPatch; readonly ignored: readonly string[] }
  | { readonly act: 'resume'; readonly threadId: string; readonly ignored: readonly string[] }
  | {
      readonly act: 'send' | 'steer';
      readonly threadId: string | null;
      readonly text: string;
      readonly images: readonly ImageInput[];
      readonly clientMessageId: string | null;
      /** Of a steer: the turn the caller means. */
      readonly turnId: string | null;
      readonly ignored: readonly string[];
    }
  | { readonly act: 'interrupt'; readonly threadId: string | null; readonly turnId: string | null };

/** Methods that change nothing. */
const READING = new Set([
  'account/rateLimits/read',
  'account/read',
  'collaborationMode/list',
  'config/read',
  'mcpServerStatus/list',
  'model/list',
  'skills/list',
  'thread/backgroundTerminals/list',
  'thread/items/list',
  'thread/list',
  'thread/loaded/list',
  'thread/read',
  'thread/search',
  'thread/turns/list',
]);

/** The name of a message in an older client. */
const SUBMIT = 'turn/submit';
const ACTING = ['thread/start', 'thread/resume', 'turn/start', SUBMIT, 'turn/steer', 'turn/interrupt'] as const;

/** Methods with a route of their own, so that the refusal can say where to go. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'thread/compact/start': 'POST /api/appserver/compact',
  'thread/shellCommand': 'POST /api/appserver/shell/exec',
  'thread/fork': 'POST /api/appserver/conversations/{id}/fork',
  'thread/revert': 'POST /api/appserver/conversations/{id}/revert',
  'thread/archive': 'POST /api/appserver/conversations/{id}/archive',
  'thread/name/set': 'PATCH /api/appserver/conversations/{id}',
  'review/start': 'POST /api/appserver/conversations/{id}/review',
};

/** Settings of the conversation, under the names Codex's methods have for them. A value that a client sends is not used. */
const OWNED = [
  'approvalPolicy',
  'collaborationMode',
  'cwd',
  'effort',
  'excludeTurns',
  'model',
  'permissions',
  'reasoningEffort',
  'sandbox',
  'sandboxPolicy',
  'summary',
];

type Params = Readonly<Record<string, unknown>>;

export function readRpcCall(method: string, params: Params): Result<RpcCall> {
  if (READING.has(method)) return ok({ act: 'read' });
  switch (method) {
    case 'thread/start':
      return readStart(params);
    case 'thread/resume': {
      const ignored = ignoredOf(params, ['threadId']);
      if (!ignored.ok) return ignored;
      const given = parse(ResumeParams, params);
      return given.ok ? ok({ act: 'resume', ...given.value, ignored: ignored.value }) : given;
    }
    case 'turn/start':
    case SUBMIT:
      return readMessage('send', params, ['threadId', 'input', 'message', 'clientUserMessageId']);
    case 'turn/steer':
      return readMessage('steer', params, ['threadId', 'input', 'message', 'clientUserMessageId', 'expectedTurnId']);
    case 'turn/interrupt': {
      const known = ignoredOf(params, ['threadId', 'turnId']);
      if (!known.ok) return known;
      const given = parse(InterruptParams, params);
      if (!given.ok) return given;
      return ok({ act: 'interrupt', threadId: given.value.threadId ?? null, turnId: given.value.turnId ?? null });
    }
    default:
      return refuseMethod(method);
  }
}

function refuseMethod(method: string): Result<never> {
  const route = Object.hasOwn(ELSEWHERE, method) ? ELSEWHERE[method] : undefined;
  const hint = route === undefined ? `allowed are: ${[...READING, ...ACTING].join(', ')}` : `use ${route}`;
  return fail('forbidden', `${method} cannot be called here: ${hint}`);
}

/** Each setting is checked as the route that makes a conversation checks it. */
function readStart(params: Params): Result<RpcCall> {
  const known = ignoredOf(params, []);
  if (!known.ok) return known;
  const given = parse(StartParams, params);
  if (!given.ok) return given;
  const { cwd, model, approvalPolicy: approval, sandbox, effort, reasoningEffort } = given.value;
  const wanted = { cwd, model, approval, sandbox, reasoning_effort: effort ?? reasoningEffort };
  const settings = parse(SettingsPatch, present(wanted));
  return settings.ok ? ok({ act: 'start', settings: settings.value, ignored: known.value }) : settings;
}

const present = (fields: Params): Params =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

function readMessage(act: 'send' | 'steer', params: Params, known: readonly string[]): Result<RpcCall> {
  const ignored = ignoredOf(params, known);
  if (!ignored.ok) return ignored;
  const given = parse(MessageParams, params);
  if (!given.ok) return given;
  const { threadId, input = [], message, clientUserMessageId, expectedTurnId } = given.value;
  const texts = [...(message === undefined ? [] : [message]), ...input.flatMap((one) => textOf(one))];
  return ok({
    act,
    threadId: threadId ?? null,
    text: texts.join('\n'),
    images: input.flatMap((one) => imageOf(one)),
    clientMessageId: clientUserMessageId ?? null,
    turnId: expectedTurnId ?? null,
    ignored: ignored.value,
  });
}

type InputItem = NonNullable<MessageParams['input']>[number];

const textOf = (item: InputItem): string[] => (item.type === 'text' ? [item.text] : []);

function imageOf(item: InputItem): ImageInput[] {
  switch (item.type) {
    case 'image':
      return [{ kind: 'url', value: item.url }];
    case 'localImage':
      return [{ kind: 'path', value: item.path }];
    case 'text':
      return [];
    default:
      return item satisfies never;
  }
}

/**
 * The settings in the parameters, which are not used. A parameter that is neither known nor a setting is refused: `config` or
 * `additionalContext` would reach past what the server decides, and one that is dropped in silence would look as if it worked.
 */
function ignoredOf(params: Params, known: readonly string[]): Result<readonly string[]> {
  const others = Object.keys(params).filter((name) => !known.includes(name));
  const strange = others.find((name) => !OWNED.includes(name));
  if (strange === undefined) return ok(others);
  const field = strange.slice(0, 100);
  return fail('invalid_request', `params.${field} cannot be given here`, { field: `params.${field}` });
}

interface Checks<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}
type Issue = NonNullable<Parameters<typeof describeIssue>[0]>;

function parse<T>(schema: Checks<T>, params: Params): Result<T> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  const field = ['params', ...(issue?.path ?? [])].map(String).join('.');
  return fail('invalid_request', `params: ${describeIssue(issue)}`, { field });
}

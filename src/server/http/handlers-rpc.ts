/**
 * `POST /rpc` and the `rpc` frame of the event stream. A call that acts becomes a call of the route that does the same, with the rights that
 * route asks for: one way to Codex, one way to answer a request.
 */
import { randomUUID } from 'node:crypto';
import { type ConversationId, conversationIdOfThread } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { ROUTES, type RouteId } from '../../contract/routes.ts';
import type { RpcInput } from '../../contract/rpc.ts';
import { confinedTo } from '../../core/access/confined.ts';
import { refuseCall } from '../../core/access/refuse-call.ts';
import { answerOfResult, DECLINED } from '../../core/approvals/answer-of-result.ts';
import { type RpcCall, readRpcCall } from '../../core/codex/rpc-call.ts';
import type { Caller } from '../caller.ts';
import type { Conversation } from '../conversations/conversation.ts';
import type { Handlers, Services } from './services.ts';

export type Rpc = (caller: Caller, input: RpcInput) => Promise<Result<unknown>>;

type Acts = Pick<Handlers, 'createConversation' | 'sendMessage' | 'interrupt' | 'answerApproval'>;
type Message = Extract<RpcCall, { act: 'send' | 'steer' }>;

export function createRpc(services: Services, acts: Acts): Rpc {
  const { registry, selection, approvals, actions } = services;
  const none = new AbortController().signal;

  /** By the conversation or thread that is named; where both are, they must fit: a tab may have been open for long. */
  const target = async (
    caller: Caller,
    named: ConversationId | undefined,
    threadId: string | null,
  ): Promise<Result<Conversation>> => {
    const ofThread = threadId === null ? undefined : registry.resolve(conversationIdOfThread(threadId));
    const ofCaller = named === undefined ? undefined : registry.resolve(named);
    if (ofThread !== undefined && ofCaller !== undefined && ofThread !== ofCaller)
      return fail('stale', `the thread ${threadId} is not the one of ${named}: reload the conversation`);
    const id = ofCaller ?? ofThread ?? selection.of(caller);
    if (id === undefined)
      return fail('unknown_conversation', 'name a conversation_id or params.threadId, or select one');
    return registry.open(id);
  };

  /** A draft that is named or selected gets its thread; else a new conversation is made, with the settings of the call. */
  const start = async (caller: Caller, input: RpcInput, call: Extract<RpcCall, { act: 'start' }>) => {
    const selected = selection.of(caller);
    const isDraft = selected !== undefined && registry.metaOf(selected)?.thread_id === null;
    const named = input.conversation_id ?? (isDraft ? selected : undefined);
    if (named !== undefined) return load(named, call.ignored);
    const refusal = refuse(caller, 'createConversation');
    if (refusal !== null) return refusal;
    const { confirm } = input;
    const created = await acts.createConversation({ ...call.settings, ...(confirm && { confirm }) }, caller, none);
    return created.ok ? load(created.value.id, []) : created;
  };

  const load = async (id: ConversationId, ignored: readonly string[]): Promise<Result<unknown>> => {
    const loaded = await actions.loadThread(registry.resolve(id));
    if (!loaded.ok) return loaded;
    const { conversation_id, thread_id, cwd, rollout_path, preview, label, ...meta } = loaded.value;
    return ok({
      conversation_id,
      thread: { id: thread_id, cwd, path: rollout_path, preview, name: label },
      model: meta.model ?? meta.applied_model ?? null,
      reasoningEffort: meta.reasoning_effort,
      cwd,
      approvalPolicy: meta.approval,
      sandbox: meta.sandbox,
      ignored,
    });
  };

  const speak = async (caller: Caller, named: ConversationId | undefined, call: Message): Promise<Result<unknown>> => {
    const refusal = refuse(caller, 'sendMessage');
    if (refusal !== null) return refusal;
    const opened = await target(caller, named, call.threadId);
    if (!opened.ok) return opened;
    const running = opened.value.session.state().turn?.id ?? null;
    if (call.turnId !== null && call.turnId !== running) return otherTurn(call.turnId, running);
    const { conversation_id } = opened.value.meta();
    const sent = await acts.sendMessage(
      {
        conversation_id,
        text: call.text,
        images: [...call.images],
        mode: call.act,
        client_message_id: call.clientMessageId ?? `msg_${randomUUID()}`,
      },
      caller,
      none,
    );
    if (!sent.ok) return sent;
    const { turn_id: turnId, ...rest } = sent.value;
    const turn = turnId === null ? null : { id: turnId, status: 'inProgress' };
    return ok({ conversation_id, turn, turnId, ...rest, ignored: call.ignored });
  };

  const stop = async (
    caller: Caller,
    named: ConversationId | undefined,
    threadId: string | null,
    turnId: string | null,
  ) => {
    const refusal = refuse(caller, 'interrupt');
    if (refusal !== null) return refusal;
    const opened = await target(caller, named, threadId);
    if (!opened.ok) return opened;
    const running = opened.value.session.state().turn?.id ?? null;
    if (turnId !== null && turnId !== running) return otherTurn(turnId, running);
    return acts.interrupt({ conversation_id: opened.value.meta().conversation_id }, caller, none);
  };

  /**
   * The answer to an open request names it by its `approval_id`: Codex's own numbers begin at 0 again in each process, so an old answer would
   * fit a new request.
   */
  const answer = async (caller: Caller, { id, result, error, confirm }: RpcInput): Promise<Result<unknown>> => {
    const refusal = refuse(caller, 'answerApproval');
    if (refusal !== null) return refusal;
    const approvalId = typeof id === 'string' ? id : '';
    const ask = approvals.pending().find((one) => one.approval_id === approvalId)?.ask;
    const given = ask === undefined || error !== undefined ? ok(DECLINED) : answerOfResult(ask, result);
    if (!given.ok) return given;
    const input = { approval_id: approvalId, ...given.value, ...(confirm && { confirm }) };
    return acts.answerApproval(input, caller, none);
  };

  return async (caller, input) => {
    const refusal = refuse(caller, 'rpc');
    if (refusal !== null) return refusal;
    // Methods name threads in many ways; a token for one conversation has the routes.
    if (confinedTo(caller) !== null) return fail('forbidden', 'a token for one conversation may not use rpc');
    const { method, params = {}, conversation_id: named } = input;
    if (method === undefined) {
      const isAnswer = input.result !== undefined || input.error !== undefined;
      return isAnswer ? answer(caller, input) : fail('invalid_request', 'give a method, or a result or error');
    }
    const own = services.rpc(caller, method, params);
    if (own !== null) return own;
    const call = readRpcCall(method, params);
    if (!call.ok) return call;
    if (named !== undefined && !registry.isKnown(registry.resolve(named)))
      return fail('unknown_conversation', `there is no conversation ${named}`);
    switch (call.value.act) {
      case 'read':
        return services.callCodex(method, params);
      case 'start':
        return start(caller, input, call.value);
      case 'resume': {
        const { threadId, ignored } = call.value;
        const opened = await target(caller, named, threadId);
        return opened.ok ? load(opened.value.meta().conversation_id, ignored) : opened;
      }
      case 'send':
      case 'steer':
        return speak(caller, named, call.value);
      case 'interrupt':
        return stop(caller, named, call.value.threadId, call.value.turnId);
      default:
        return call.value satisfies never;
    }
  };
}

/** Each call has the scope of the route that does the same. Commands of an agent have none of them. */
function refuse(caller: Caller, route: RouteId): Result<never> | null {
  const failure = refuseCall(caller, ROUTES[route].scope);
  return failure === null ? null : { ok: false, error: failure };
}

function otherTurn(meant: string, running: string | null): Result<never> {
  if (running === null) return fail('no_active_turn', `the turn ${meant} does not run any more`);
  return fail('stale', `another turn runs than ${meant}`, { turn_id: running });
}

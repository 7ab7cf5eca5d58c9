/** A request of Codex → the card that is shown for it, and the entry that records how it ended. */
import type { ApprovalAnswer, Ask, DecisionWord, PendingApproval } from '../../contract/approval.ts';
import type { AnsweredQuestion, NewEntry } from '../../contract/entry.ts';
import { type FileChange, typedCommand } from '../codex/item.ts';
import type { RecordedAnswers, Signal } from '../codex/signal.ts';
import { diffOfChanges, relativePath } from '../conversations/diff-identity.ts';
import type { OpenAsk, OpenItem, ThreadState } from '../conversations/thread-state.ts';
import { firstLine } from '../text/cut.ts';

type QuestionsAsk = Extract<Ask, { kind: 'questions' }>;
type RequestSignal = Extract<Signal, { type: 'request' }>;

const MAX_TITLE_CHARS = 120;
/** The name our own tools have in Codex. */
const OWN_SERVER = 'signalbox';

/** `item`: what the request is about; a request to change files does not carry the changes, an old Codex not even the command. */
export function openAsk(
  state: ThreadState,
  signal: RequestSignal,
  bare: Ask,
  item: OpenItem | null,
  at: number,
): OpenAsk {
  const ask = joinItem(bare, item);
  const identity = [
    signal.epoch,
    signal.threadId,
    signal.turnId,
    signal.itemId,
    signal.rpcId,
    signal.method,
    ask,
    signal.reason,
  ];
  return {
    epoch: signal.epoch,
    rpcId: signal.rpcId,
    method: signal.method,
    isAnsweredElsewhere: false,
    approval: {
      approval_id: `apr_${state.digest(JSON.stringify(identity)).slice(0, 32)}`,
      conversation_id: state.conversationId,
      thread_id: signal.threadId ?? '',
      turn_id: signal.turnId,
      item_id: signal.itemId ?? item?.live.item_id ?? null,
      kind: ask.kind,
      title: titleOf(ask, state.cwd),
      ...(signal.reason !== null && { reason: signal.reason }),
      requested_at_ms: at,
      ask,
      decisions: decisionsFor(ask),
    },
  };
}

function joinItem(ask: Ask, item: OpenItem | null): Ask {
  if (item === null) return ask;
  if (ask.kind === 'command' && ask.command === '' && item.live.role === 'command') {
    return { ...ask, command: item.live.command, cwd: item.live.cwd };
  }
  if (ask.kind !== 'file_change' || ask.changes.length > 0) return ask;
  return {
    ...ask,
    changes: item.changes.map(({ path, kind, diff, movedTo }) => ({
      path,
      kind,
      diff,
      ...(movedTo !== undefined && { moved_to: movedTo }),
    })),
  };
}

function titleOf(ask: Ask, cwd: string): string {
  switch (ask.kind) {
    case 'command':
      if (ask.action === 'network') return `Reach ${ask.network?.host ?? 'the network'}?`;
      return `${ask.action === 'stdin' ? 'Type into' : 'Run'} ${briefCommand(typedCommand(ask.command))}?`;
    case 'file_change': {
      const first = ask.changes[0];
      if (first === undefined) return ask.grant_root ? `Allow writes under ${ask.grant_root}?` : 'Change files?';
      const rest = ask.changes.length - 1;
      return `Change ${relativePath(first.path, cwd)}${rest > 0 ? ` and ${rest} more` : ''}?`;
    }
    case 'permissions':
      return 'Grant more permissions?';
    case 'elicitation':
    case 'mcp_tool':
      return firstLine(ask.message, MAX_TITLE_CHARS);
    case 'questions':
      return firstLine(ask.questions[0]?.question ?? 'A question', MAX_TITLE_CHARS);
    case 'unknown':
      return `Codex asks: ${ask.method}`;
    default:
      return ask satisfies never;
  }
}

/** The first line of a command, and how many more there are: a title must not look like all of it. */
function briefCommand(command: string): string {
  const line = firstLine(command, MAX_TITLE_CHARS);
  const more = command.trim().split('\n').length - 1;
  return more === 0 ? line : `${line} … and ${more} more ${more === 1 ? 'line' : 'lines'}`;
}

function decisionsFor(ask: Ask): DecisionWord[] {
  switch (ask.kind) {
    case 'command':
      // A decision for this one time, and no other: Stop ends the turn.
      if (ask.once_only) return ['accept', 'decline'];
      return [
        'accept',
        'accept_for_session',
        ...(ask.always_rule ? (['accept_always'] as const) : []),
        'cancel',
        'decline',
      ];
    case 'file_change':
    case 'permissions':
      return ['accept', 'accept_for_session', 'cancel', 'decline'];
    case 'mcp_tool':
    case 'elicitation':
      return [
        'accept',
        ...(ask.persist.includes('session') ? (['accept_for_session'] as const) : []),
        // How our own tools are approved is on Codex's command line, so an answer for ever would last for the session only.
        ...(ask.persist.includes('always') && ask.server !== OWN_SERVER ? (['accept_always'] as const) : []),
        'cancel',
        'decline',
      ];
    case 'questions':
    case 'unknown':
      return ['accept', 'decline'];
    default:
      return ask satisfies never;
  }
}

export interface AskEnd {
  readonly status: 'accepted' | 'declined' | 'cancelled' | 'expired';
  readonly decision: string | null;
  /** Of questions that were answered here. */
  readonly answers?: RecordedAnswers;
  readonly event: string;
}

export function entryOfAsk(approval: PendingApproval, cwd: string, end: AskEnd): NewEntry {
  const { ask } = approval;
  return {
    role: 'approval',
    approval_id: approval.approval_id,
    kind: approval.kind,
    status: end.status,
    ...(end.decision !== null && { decision: end.decision }),
    title: approval.title,
    ...(approval.reason !== undefined && { reason: approval.reason }),
    ...(ask.kind === 'command' && { command: ask.command }),
    ...('cwd' in ask && ask.cwd !== undefined && { cwd: ask.cwd }),
    ...(ask.kind === 'file_change' && fileFields(ask, cwd)),
    ...(ask.kind === 'questions' && { questions: answeredQuestions(ask, end.answers ?? {}) }),
    ...(approval.turn_id !== null && { turn_id: approval.turn_id }),
    ...(approval.item_id !== null && { item_id: approval.item_id }),
    event: end.event,
  };
}

function answeredQuestions({ questions }: QuestionsAsk, answers: RecordedAnswers): AnsweredQuestion[] {
  return questions.map(({ id, header, question, is_secret }) => ({
    header,
    question,
    answers: is_secret || !Object.hasOwn(answers, id) ? [] : [...(answers[id] ?? [])],
    ...(is_secret && { is_secret: true as const }),
  }));
}

/** What the transcript keeps of an answer: nothing of a secret, and nothing of a refusal. */
export function recordedAnswers(ask: Ask, answer: ApprovalAnswer): RecordedAnswers {
  if (ask.kind !== 'questions' || answer.decision !== 'accept') return {};
  const given = new Map(Object.entries(answer.answers ?? {}));
  const open = ask.questions.filter(({ is_secret }) => !is_secret);
  return Object.fromEntries(open.map(({ id }) => [id, given.get(id) ?? []]));
}

function fileFields(ask: Extract<Ask, { kind: 'file_change' }>, cwd: string): { path?: string; diff?: string } {
  const first = ask.changes[0];
  if (first === undefined) return ask.grant_root === undefined ? {} : { path: ask.grant_root };
  const changes = ask.changes.map((one): FileChange => {
    const kind = one.kind === 'add' || one.kind === 'delete' || one.kind === 'move' ? one.kind : 'update';
    return { path: one.path, kind, diff: one.diff, ...(one.moved_to !== undefined && { movedTo: one.moved_to }) };
  });
  return { path: relativePath(first.path, cwd), diff: diffOfChanges(changes, cwd) };
}

/** An approval in words: what it does, and what each answer means. */
import type { Ask, DecisionWord, PendingApproval } from '../../contract/approval.ts';
import { agentName } from '../../core/conversations/agent-name.ts';
import { en } from '../strings/en.ts';
import { showName } from '../transcript/ansi.ts';
import type { Row } from '../transcript/rows.ts';
import { middleCut } from '../ui/format.ts';

export function effectOf(ask: Ask): string {
  const { effects } = en.approval;
  switch (ask.kind) {
    case 'command':
      return effects[ask.action];
    case 'file_change':
      return ask.grant_root === undefined ? effects.writes(ask.changes.length) : effects.grants(brief(ask.grant_root));
    case 'permissions':
      return effects.permissions;
    case 'elicitation':
      return effects.elicitation(brief(ask.server));
    case 'mcp_tool':
      return effects.tool(brief(ask.server));
    case 'questions':
      return effects.questions;
    case 'unknown':
      return effects.unknown(brief(ask.method));
    default:
      return ask satisfies never;
  }
}

/** A longer name in the heading would push what is asked for out of view. */
const MAX_NAME_CHARS = 120;
const brief = (name: string): string => middleCut(showName(name), MAX_NAME_CHARS);

/** Asks somebody to fill in something, so that a key alone cannot answer it. */
function isForm(ask: Ask): boolean {
  return ask.kind === 'questions' || ask.kind === 'unknown' || ask.kind === 'elicitation';
}

export function decisionLabel(approval: PendingApproval, decision: DecisionWord): string {
  const { decisions } = en.approval;
  if (isForm(approval.ask)) {
    if (decision === 'accept') return en.approval.submit;
    if (decision === 'decline') return en.approval.skip;
  }
  return decisions[decision];
}

const KEYS = { y: 'accept', a: 'accept_for_session', n: 'decline' } as const;

/** A request of a thread that the conversation's own thread has started. */
export function asksAsSubAgent({ thread_id }: PendingApproval, ownThread: string | null): boolean {
  return ownThread !== null && thread_id !== ownThread;
}

/** What the transcript calls the sub-agent of this row. */
export function nameOfAgent(row: Row | undefined): string {
  if (row?.kind !== 'agent') return en.toolKinds.sub_agent;
  const refs = [...row.entries, ...(row.live === null ? [] : [row.live])].map((one) => one.agent?.path ?? '');
  const name = agentName(refs.find((path) => path !== '') ?? '');
  return `${en.toolKinds.sub_agent} ${brief(name)}`.trimEnd();
}

/** The key that gives an answer; null where no key does. */
export function keyOfDecision(approval: PendingApproval, decision: DecisionWord): string | null {
  if (isForm(approval.ask)) return null;
  return Object.entries(KEYS).find(([, word]) => word === decision)?.[0] ?? null;
}

/** Which answer a key gives, of those the request allows. */
export function decisionOfKey(approval: PendingApproval, key: string): DecisionWord | null {
  if (isForm(approval.ask)) return null;
  const word = Object.entries(KEYS).find(([name]) => name === key.toLowerCase())?.[1];
  return word !== undefined && approval.decisions.includes(word) ? word : null;
}

/** Who asks, and by which key a request is answered. */
import { expect, test } from 'vitest';
import type { PendingApproval } from '../../contract/approval.ts';
import { asksAsSubAgent, decisionOfKey, keyOfDecision } from './describe-ask.ts';

const approval: PendingApproval = {
  approval_id: 'a',
  conversation_id: `conv_${'a'.repeat(32)}`,
  thread_id: 'child',
  turn_id: null,
  item_id: null,
  kind: 'command',
  title: 'ls',
  requested_at_ms: 0,
  ask: { kind: 'command', command: 'ls', actions: [], action: 'run' },
  decisions: ['accept', 'decline'],
};

test('[PG130] a request of another thread than the conversation’s own comes from a sub-agent', () => {
  expect([
    asksAsSubAgent(approval, 'parent'),
    asksAsSubAgent(approval, 'child'),
    asksAsSubAgent(approval, null),
  ]).toEqual([true, false, false]);
});

test('[PG127] the key on a button is the key that answers', () => {
  for (const decision of approval.decisions) {
    expect(decisionOfKey(approval, keyOfDecision(approval, decision) ?? '')).toBe(decision);
  }
  expect(keyOfDecision(approval, 'accept_always')).toBeNull();
  expect(decisionOfKey(approval, 'a')).toBeNull();
});

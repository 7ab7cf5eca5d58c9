/** What the rules editor does to its list. */
import { expect, test } from 'vitest';
import { changeRule, FRESH_RULE, isLoosening, moveRule, parseSources } from './rule-list.ts';

const named = (match_type: string) => ({ ...FRESH_RULE, match_type });

test('[EP6] a cleared field is left out, so that the rule asks for nothing', () => {
  const [rule] = changeRule([{ ...named('a'), source: 'ci', min_severity: 'error' }], 0, { source: '' });
  expect(rule).toEqual({ ...named('a'), min_severity: 'error' });
});

test('[EP6] a rule moves past its neighbor and not out of the list', () => {
  const rules = [named('a'), named('b'), named('c')];
  expect(moveRule(rules, 2, -1).map((rule) => rule.match_type)).toEqual(['a', 'c', 'b']);
  expect(moveRule(rules, 0, -1)).toBe(rules);
  expect(moveRule(rules, 2, 1)).toBe(rules);
});

test('[EP6] sources are names between commas, once each', () => {
  expect(parseSources(' ci, github,, ci ')).toEqual(['ci', 'github']);
});

test('[EP6] what acts without a person is known as such', () => {
  expect([named('a'), { ...named('a'), prefer_steer: true }].map(isLoosening)).toEqual([false, true]);
  expect(isLoosening({ ...named('a'), delivery: 'auto_turn' })).toBe(true);
});

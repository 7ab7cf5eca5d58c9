/** Changes to a list of rules as the editor makes them. Pure. */
import type { EventRule } from '../../contract/external-event.ts';

export const FRESH_RULE: EventRule = {
  match_type: 'build.*',
  delivery: 'queue_for_next_turn',
  prefer_steer: false,
  allow_sources: [],
  allow_unauthenticated: false,
};

export function changeRule(rules: readonly EventRule[], at: number, change: Partial<EventRule>): readonly EventRule[] {
  return rules.map((rule, index) => (index === at ? cleanRule({ ...rule, ...change }) : rule));
}

/** An empty field means that the rule does not ask. */
function cleanRule(rule: EventRule): EventRule {
  const { source, min_severity, ...rest } = rule;
  return { ...rest, ...(source ? { source } : {}), ...(min_severity ? { min_severity } : {}) };
}

export function moveRule(rules: readonly EventRule[], at: number, by: -1 | 1): readonly EventRule[] {
  const [moved, other] = [rules[at], rules[at + by]];
  if (moved === undefined || other === undefined) return rules;
  return rules.map((rule, index) => (index === at ? other : index === at + by ? moved : rule));
}

export function parseSources(text: string): readonly string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
}

/** Rules that let an event do something while nobody looks. */
export function isLoosening(rule: EventRule): boolean {
  return rule.delivery === 'auto_turn' || rule.prefer_steer;
}

/** Rules that want to act, and nobody who may. */
export function isNobodyAllowed(rules: readonly EventRule[], allowed: string): boolean {
  const acting = rules.filter(isLoosening);
  const isOpen = acting.some(
    (rule) => rule.allow_sources.length > 0 || (rule.prefer_steer && rule.allow_unauthenticated),
  );
  return parseSources(allowed).length === 0 && !isOpen;
}

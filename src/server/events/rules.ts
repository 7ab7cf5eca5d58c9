/** The rules in force: those chosen in the page, else those of `config.toml`. */
import { join } from 'node:path';
import { type EventRule, EventRulesFile, type ExternalEventsConfig } from '../../contract/external-event.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import type { Policy } from '../../core/events/plan-delivery.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import type { Seals } from '../../node/seals.ts';
import { storageFailure } from '../storage-failure.ts';

interface Instead {
  readonly rules?: readonly EventRule[] | undefined;
  readonly allow_sources?: readonly string[] | undefined;
}

export interface RuleBook {
  /** The rules in force, or others in their place, to try them. */
  policy(instead?: Instead): Policy;
  current(): RouteOutput<'readEventRules'>;
  /** Null goes back to the configuration. */
  change(chosen: {
    readonly rules: readonly EventRule[] | null;
    readonly allow_sources?: readonly string[] | undefined;
  }): Promise<Result<RouteOutput<'readEventRules'>>>;
}

const FILE = 'event_rules.json';

export async function openRuleBook(home: string, config: ExternalEventsConfig, seals: Seals): Promise<RuleBook> {
  const path = join(home, FILE);
  let chosen = await readChosen(path, seals);
  const rules = () => chosen.rules ?? config.rules;
  const allowSources = () => chosen.allow_sources ?? config.allow_sources;
  const current = (): RouteOutput<'readEventRules'> => ({
    rules: rules(),
    from: chosen.rules === null ? 'config' : 'page',
    default_delivery: config.default_delivery,
    allow_sources: allowSources(),
  });
  const policyOf = (instead: Instead): Policy => ({
    rules: instead.rules ?? rules(),
    defaultDelivery: config.default_delivery,
    allowSources: instead.allow_sources ?? allowSources(),
    maxHops: config.max_hops,
  });
  let policy = policyOf({});
  return {
    current,
    policy: (instead) => (instead === undefined ? policy : policyOf(instead)),
    async change(next) {
      const kept = next.rules === null ? null : chosen.allow_sources;
      const wanted = next.allow_sources === undefined ? kept : [...next.allow_sources];
      const file = { rules: next.rules === null ? null : [...next.rules], allow_sources: wanted };
      try {
        await seals.write(FILE, path, JSON.stringify(file));
      } catch (error) {
        return storageFailure(error, 'the rules were not saved');
      }
      chosen = file;
      policy = policyOf({});
      return ok(current());
    },
  };
}

/** Rules that somebody else wrote count for nothing: they could let events start turns. */
async function readChosen(path: string, seals: Seals): Promise<EventRulesFile> {
  const text = await seals.read(FILE, path, { adopts: true });
  return EventRulesFile.safeParse(parseJson(text ?? '')).data ?? { rules: null, allow_sources: null };
}

/** The rules in force: those chosen in the page, else those of `config.toml`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EventRule, EventRulesFile, type ExternalEventsConfig } from '../../contract/external-event.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import type { Policy } from '../../core/events/plan-delivery.ts';
import { errorCode, writeFileAtomic } from '../../node/atomic-file.ts';

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

export async function openRuleBook(home: string, config: ExternalEventsConfig): Promise<RuleBook> {
  const path = join(home, 'event_rules.json');
  let chosen = await readChosen(path);
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
        await writeFileAtomic(path, `${JSON.stringify(file, null, 2)}\n`);
      } catch (error) {
        const code = errorCode(error) === 'ENOSPC' ? 'storage_full' : 'internal';
        return fail(code, `the rules were not saved (${errorCode(error)})`);
      }
      chosen = file;
      policy = policyOf({});
      return ok(current());
    },
  };
}

async function readChosen(path: string): Promise<EventRulesFile> {
  const none = { rules: null, allow_sources: null };
  try {
    return EventRulesFile.safeParse(JSON.parse(await readFile(path, 'utf8'))).data ?? none;
  } catch {
    return none;
  }
}

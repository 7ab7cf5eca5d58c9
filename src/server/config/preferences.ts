/** What new conversations start with: the configuration, then what was chosen in the page. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../contract/config.ts';
import { ALL_CONTEXT } from '../../contract/context.ts';
import { Preferences, type PreferencesPatch } from '../../contract/conversation.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { patchContext } from '../../core/conversations/settings.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import { errorCode, writeFileAtomic } from '../../node/atomic-file.ts';
import type { Seals } from '../../node/seals.ts';

export interface PreferenceStore {
  current(): Preferences;
  /** Absent fields stay as they are. */
  change(patch: PreferencesPatch): Promise<Result<Preferences>>;
}

const FILE = 'preferences.json';

export async function openPreferences(home: string, config: Config, seals: Seals): Promise<PreferenceStore> {
  const path = join(home, FILE);
  const { approval, sandbox, model, reasoning_effort, command_output_lines } = config.conversations;
  const defaults: Preferences = {
    cwd: null,
    approval,
    sandbox,
    model: model ?? null,
    reasoning_effort: reasoning_effort ?? null,
    command_output_lines,
    context: ALL_CONTEXT,
  };
  let chosen = await readChosen(path, seals);
  return {
    current: () => ({ ...defaults, ...chosen }),
    async change(patch) {
      const { context, ...rest } = patch;
      const next: Partial<Preferences> = {
        ...chosen,
        ...given(rest),
        ...(context !== undefined && { context: patchContext(chosen.context ?? defaults.context, context) }),
      };
      try {
        await writeFileAtomic(path, seals.seal(FILE, JSON.stringify(next)));
      } catch (error) {
        return fail(
          errorCode(error) === 'ENOSPC' ? 'storage_full' : 'internal',
          `the preferences were not saved (${errorCode(error)})`,
        );
      }
      chosen = next;
      return ok({ ...defaults, ...chosen });
    },
  };
}

function given(patch: Omit<PreferencesPatch, 'context'>): Partial<Preferences> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}

/** Preferences that somebody else wrote count for nothing: they could loosen what every new conversation starts with. */
async function readChosen(path: string, seals: Seals): Promise<Partial<Preferences>> {
  const text = seals.verify(FILE, await readFile(path, 'utf8').catch(() => null));
  return given(Preferences.partial().safeParse(text === null ? {} : parseJson(text)).data ?? {});
}

/** What new conversations start with: the configuration, then what was chosen in the page. */
import { join } from 'node:path';
import type { Config } from '../../contract/config.ts';
import { ALL_CONTEXT } from '../../contract/context.ts';
import { Preferences, type PreferencesPatch } from '../../contract/conversation.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { patchContext } from '../../core/conversations/settings.ts';
import { errorCode, writeFileAtomic } from '../../node/atomic-file.ts';
import { readJson } from '../../node/read-json.ts';

export interface PreferenceStore {
  current(): Preferences;
  /** Absent fields stay as they are. */
  change(patch: PreferencesPatch): Promise<Result<Preferences>>;
}

export async function openPreferences(home: string, config: Config): Promise<PreferenceStore> {
  const path = join(home, 'preferences.json');
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
  let chosen = await readChosen(path);
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
        await writeFileAtomic(path, `${JSON.stringify(next, null, 2)}\n`);
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

async function readChosen(path: string): Promise<Partial<Preferences>> {
  return given((await readJson(path, Preferences.partial())) ?? {});
}

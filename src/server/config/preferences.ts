/** What new conversations start with: the configuration, then what was chosen in the page. */
import { join } from 'node:path';
import type { Config } from '../../contract/config.ts';
import { ALL_CONTEXT } from '../../contract/context.ts';
import { Preferences, type PreferencesPatch } from '../../contract/conversation.ts';
import { ok, type Result } from '../../contract/result.ts';
import { settingsIn } from '../../core/conversations/project-settings.ts';
import { patchContext } from '../../core/conversations/settings.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import type { Seals } from '../../node/seals.ts';
import { storageFailure } from '../storage-failure.ts';
import { openProjectSettings, type ProjectSettingsStore } from './project-settings.ts';
import { openWorktreeSetups, type WorktreeSetups } from './worktree-setups.ts';

export interface PreferenceStore {
  current(): Preferences;
  /** Absent fields stay as they are. */
  change(patch: PreferencesPatch): Promise<Result<Preferences>>;
  /** What new conversations in a directory start with. */
  inProject(cwd: string): Promise<Preferences>;
  readonly projects: ProjectSettingsStore;
  readonly setups: WorktreeSetups;
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
  const projects = await openProjectSettings(home, seals);
  const setups = await openWorktreeSetups(home, seals);
  const current = (): Preferences => ({ ...defaults, ...chosen });
  return {
    current,
    inProject: async (cwd) => settingsIn(current(), await projects.of(cwd)),
    projects,
    setups,
    async change(patch) {
      const { context, ...rest } = patch;
      const next: Partial<Preferences> = {
        ...chosen,
        ...given(rest),
        ...(context !== undefined && { context: patchContext(chosen.context ?? defaults.context, context) }),
      };
      try {
        await seals.write(FILE, path, JSON.stringify(next));
      } catch (error) {
        return storageFailure(error, 'the preferences were not saved');
      }
      chosen = next;
      return ok(current());
    },
  };
}

function given(patch: Omit<PreferencesPatch, 'context'>): Partial<Preferences> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}

/** Preferences that somebody else wrote count for nothing: they could loosen what every new conversation starts with. */
async function readChosen(path: string, seals: Seals): Promise<Partial<Preferences>> {
  const text = await seals.read(FILE, path, { adopts: true });
  return given(Preferences.partial().safeParse(text === null ? {} : parseJson(text)).data ?? {});
}

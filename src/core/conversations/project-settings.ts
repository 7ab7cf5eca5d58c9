/** What a project remembers for its new conversations, and how that joins with the settings of every new conversation. Pure. */
import {
  PROJECT_SETTINGS,
  type Preferences,
  type ProjectSetting,
  type ProjectSettings,
  type ProjectSettingsFile,
} from '../../contract/conversation.ts';

/** More projects than a person starts conversations in within a year; the file stays below 100 KB. */
const MAX_PROJECTS = 200;

export function settingsIn(preferences: Preferences, remembered: ProjectSettings): Preferences {
  const { model, reasoning_effort, approval, sandbox } = remembered;
  return {
    ...preferences,
    ...(model !== undefined && { model }),
    ...(reasoning_effort !== undefined && { reasoning_effort }),
    ...(approval !== undefined && { approval }),
    ...(sandbox !== undefined && { sandbox }),
  };
}

export function rememberedNames(remembered: ProjectSettings): ProjectSetting[] {
  return PROJECT_SETTINGS.filter((name) => remembered[name] !== undefined);
}

/** The settings in `given` that `names` lists. */
export function pickSettings(given: ProjectSettings, names: readonly ProjectSetting[]): ProjectSettings {
  return present(Object.fromEntries(names.map((name) => [name, given[name]])));
}

export function rememberedIn({ projects }: ProjectSettingsFile, cwd: string): ProjectSettings {
  return projects.find((one) => one.cwd === cwd)?.settings ?? {};
}

/** Only exactly this directory is changed: neither a directory above nor one below gets the settings. */
export function withRemembered(file: ProjectSettingsFile, cwd: string, settings: ProjectSettings): ProjectSettingsFile {
  const others = file.projects.filter((one) => one.cwd !== cwd);
  const next = { ...rememberedIn(file, cwd), ...present(settings) };
  const all = Object.keys(next).length === 0 ? others : [...others, { cwd, settings: next }];
  return { projects: all.slice(-MAX_PROJECTS) };
}

export function withoutProject({ projects }: ProjectSettingsFile, cwd: string): ProjectSettingsFile {
  return { projects: projects.filter((one) => one.cwd !== cwd) };
}

function present(settings: ProjectSettings): ProjectSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

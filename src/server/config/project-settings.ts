/** `project_settings.json`: what each project remembers for its new conversations. Sealed, since it can loosen them. */
import { join } from 'node:path';
import { type ProjectSettings, ProjectSettingsFile } from '../../contract/conversation.ts';
import { ok, type Result } from '../../contract/result.ts';
import { rememberedIn, withoutProject, withRemembered } from '../../core/conversations/project-settings.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import { realPathOf } from '../../node/path-kind.ts';
import type { Seals } from '../../node/seals.ts';
import { createSerial } from '../../node/serial.ts';
import { storageFailure } from '../storage-failure.ts';

/** Directories are compared by their real paths: a symbolic link to a project has the settings of that project. */
export interface ProjectSettingsStore {
  of(cwd: string): Promise<ProjectSettings>;
  remember(cwd: string, settings: ProjectSettings): Promise<Result<null>>;
  forget(cwd: string): Promise<Result<null>>;
}

const FILE = 'project_settings.json';
const EMPTY: ProjectSettingsFile = { projects: [] };

export async function openProjectSettings(home: string, seals: Seals): Promise<ProjectSettingsStore> {
  const path = join(home, FILE);
  const text = await seals.read(FILE, path);
  let file = ProjectSettingsFile.safeParse(text === null ? EMPTY : parseJson(text)).data ?? EMPTY;
  const changes = createSerial();

  const change = (cwd: string, step: (real: string) => ProjectSettingsFile): Promise<Result<null>> =>
    changes.run(async () => {
      const next = step(await realPathOf(cwd));
      try {
        await seals.write(FILE, path, JSON.stringify(next));
      } catch (error) {
        return storageFailure(error, 'the settings of the project were not saved');
      }
      file = next;
      return ok(null);
    });

  return {
    of: async (cwd) => rememberedIn(file, await realPathOf(cwd)),
    remember: (cwd, settings) => change(cwd, (real) => withRemembered(file, real, settings)),
    forget: (cwd) => change(cwd, (real) => withoutProject(file, real)),
  };
}

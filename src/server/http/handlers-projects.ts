/** Route id → service call, for projects and what their new conversations start with. No logic. */
import { fail, ok, type Result } from '../../contract/result.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import type { PROJECT_ROUTES } from '../../contract/routes-projects.ts';
import { stepsOfSettings } from '../../core/access/step-up.ts';
import { rememberedNames } from '../../core/conversations/project-settings.ts';
import { recentProjects } from '../../core/conversations/recent-projects.ts';
import { expandPath } from '../../node/path-kind.ts';
import { existingDirectories } from '../files/directories.ts';
import { confirmChange, type HandlersFor, type Services } from './services.ts';

/** As many as the first page of the list has. */
const LOOKED_AT = 200;

export function projectHandlers(services: Services): HandlersFor<typeof PROJECT_ROUTES> {
  const { preferences, registry } = services;
  const settingsOf = async (cwd: string): Promise<RouteOutput<'startSettings'>> => {
    const { model, reasoning_effort, approval, sandbox } = await preferences.inProject(cwd);
    const remembered = rememberedNames(await preferences.projects.of(cwd));
    return { cwd, model, reasoning_effort, approval, sandbox, remembered };
  };
  return {
    async recentProjects({ limit }) {
      const { rows } = await registry.rows({ limit: LOOKED_AT });
      const projects = recentProjects(rows);
      const existing = new Set(await existingDirectories(projects.map(({ cwd }) => cwd)));
      return ok({ projects: projects.filter(({ cwd }) => existing.has(cwd)).slice(0, limit) });
    },
    async startSettings({ cwd }) {
      const path = expandPath(cwd);
      return path === null ? notAbsolute() : ok(await settingsOf(path));
    },
    async forgetProject({ cwd, confirm }, caller) {
      const path = expandPath(cwd);
      if (path === null) return notAbsolute();
      // A project may have been stricter than the other conversations.
      const steps = stepsOfSettings(await preferences.inProject(path), preferences.current());
      const confirmed = await confirmChange(services, { caller, steps, change: ['forgetProject', path], confirm });
      if (!confirmed.ok) return confirmed;
      const forgotten = await preferences.projects.forget(path);
      return forgotten.ok ? ok(await settingsOf(path)) : forgotten;
    },
  };
}

function notAbsolute(): Result<never> {
  return fail('invalid_request', 'give an absolute path, or one that begins with ~/');
}

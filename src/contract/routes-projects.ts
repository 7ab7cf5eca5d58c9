/** Routes about projects, the directories conversations work in: the recent ones, and what new conversations there start with. */
import { z } from 'zod';
import { Confirm } from './access.ts';
import { PROJECT_SETTINGS, Preferences } from './conversation.ts';
import { base, integerQuery, type RouteDef } from './route.ts';

/** Absolute, or with `~`. */
const directory = z.string().min(1).max(4096);

const StartSettings = Preferences.pick({ model: true, reasoning_effort: true, approval: true, sandbox: true }).extend({
  /** The directory as an absolute path. */
  cwd: z.string(),
  /** Which of the four settings the project remembers; the others are those of every new conversation. */
  remembered: z.array(z.enum(PROJECT_SETTINGS)),
});

export const PROJECT_ROUTES = {
  recentProjects: {
    method: 'GET',
    path: `${base}/projects`,
    scope: 'read',
    summary: 'Directories conversations have worked in, newest activity first; existing ones only',
    query: z.object({ limit: integerQuery.min(1).max(20).default(8) }),
    output: z.object({
      projects: z.array(z.object({ cwd: z.string(), conversations: z.number().int(), active_at: z.string() })),
    }),
    errors: [],
  },
  startSettings: {
    method: 'GET',
    path: `${base}/projects/settings`,
    scope: 'read',
    summary: 'What a new conversation in a directory starts with',
    query: z.object({ cwd: directory }),
    output: StartSettings,
    errors: [],
  },
  forgetProject: {
    method: 'POST',
    path: `${base}/projects/forget`,
    scope: 'owner',
    summary: 'A project remembers no settings any more: its new conversations start like all others',
    body: z.object({ cwd: directory, confirm: Confirm.optional() }),
    output: StartSettings,
    errors: ['storage_full', 'confirmation_required'],
  },
} as const satisfies Record<string, RouteDef>;

/** Routes of Framework Shells: `/fws`. The live half is `WS /fws/logs`. */
import { z } from 'zod';
import { ConversationId } from './ids.ts';
import { integerQuery, type RouteDef } from './route.ts';
import { LogPage, ProjectSpecFile, ShellId, ShellView } from './shellspec.ts';

const shellParam = z.object({ id: ShellId });
const Path = z.string().min(1).max(4096);

/** A page of a log; a client asks for the next one. */
const MAX_LOG_PAGE_BYTES = 1024 * 1024;

export const SHELL_ROUTES = {
  listShells: {
    method: 'GET',
    path: '/fws/shells',
    scope: 'read',
    summary: 'Every shell that is known, those of Signalbox itself first',
    query: z.object({
      /** `name=value`, or a name alone; several with commas, and all must fit. */
      label: z.string().max(400).optional(),
      group: z.string().max(64).optional(),
    }),
    output: z.object({ shells: z.array(ShellView) }),
    errors: [],
  },
  upShells: {
    method: 'POST',
    path: '/fws/shells',
    scope: 'run',
    summary: 'Starts the shells of a shellspec file, or one of them; those that run already are left alone',
    body: z.object({
      /** Absolute. */
      file: Path,
      shell: z.string().max(64).optional(),
      /** To run one shell several times, each under a name. */
      name: z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/)
        .optional(),
      /** What `${CWD}` is; the directory of the file by default. */
      cwd: Path.optional(),
      ctx: z.record(z.string().max(64), z.string().max(65_536)).default({}),
      /** Of the content that a person was shown: a file with another content is refused as `changed`. */
      sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional(),
    }),
    output: z.object({ shells: z.array(ShellView.extend({ is_started: z.boolean() })) }),
    errors: ['not_found', 'missing_cwd', 'conflict', 'too_large'],
  },
  projectShells: {
    method: 'GET',
    path: '/fws/project/{id}',
    scope: 'read',
    summary:
      "The shells that a conversation's directory describes in its own shellspec files, as they are written; starts nothing",
    params: z.object({ id: ConversationId }),
    output: z.object({ files: z.array(ProjectSpecFile) }),
    errors: ['unknown_conversation'],
  },
  readShell: {
    method: 'GET',
    path: '/fws/shell/{id}',
    scope: 'read',
    summary: 'One shell',
    params: shellParam,
    output: z.object({ shell: ShellView }),
    errors: ['not_found'],
  },
  shellLogs: {
    method: 'GET',
    path: '/fws/shell/{id}/logs',
    scope: 'read',
    summary: 'Its output, by offset or from the last lines on',
    params: shellParam,
    query: z.object({
      offset: integerQuery.min(0).optional(),
      /** The last so many lines; ignored with an offset. */
      lines: integerQuery.min(1).max(100_000).default(200),
      max_bytes: integerQuery
        .min(1)
        .max(MAX_LOG_PAGE_BYTES)
        .default(256 * 1024),
    }),
    output: LogPage,
    errors: ['not_found'],
  },
  searchShellLogs: {
    method: 'GET',
    path: '/fws/shell/{id}/search',
    scope: 'read',
    summary: 'The lines of its output that hold a text, the newest last',
    params: shellParam,
    query: z.object({ q: z.string().min(1).max(400), limit: integerQuery.min(1).max(1000).default(200) }),
    output: z.object({
      lines: z.array(z.object({ offset: z.number().int(), text: z.string() })),
      /** There are older ones. */
      is_complete: z.boolean(),
    }),
    errors: ['not_found'],
  },
  stopShell: {
    method: 'POST',
    path: '/fws/shell/{id}/stop',
    scope: 'run',
    summary: 'Ends it and everything it started: asks first, then forces. A part of Signalbox itself needs the page',
    params: shellParam,
    output: z.object({ shell: ShellView }),
    errors: ['not_found', 'conflict'],
  },
  restartShell: {
    method: 'POST',
    path: '/fws/shell/{id}/restart',
    scope: 'run',
    summary: 'Ends it and starts it again under the same id',
    params: shellParam,
    output: z.object({ shell: ShellView }),
    errors: ['not_found', 'conflict', 'missing_cwd'],
  },
  inputShell: {
    method: 'POST',
    path: '/fws/shell/{id}/input',
    scope: 'run',
    summary: 'Writes to its stdin or terminal',
    params: shellParam,
    body: z.object({ data: z.string().min(1).max(65_536) }),
    output: z.object({ ok: z.literal(true) }),
    errors: ['not_found', 'conflict'],
  },
  purgeShell: {
    method: 'DELETE',
    path: '/fws/shell/{id}',
    scope: 'run',
    summary: 'Forgets one that has ended, with its log',
    params: shellParam,
    output: z.object({ purged: z.array(ShellId) }),
    errors: ['not_found', 'conflict'],
  },
  purgeShells: {
    method: 'POST',
    path: '/fws/purge',
    scope: 'run',
    summary: 'Forgets every one that has ended, with its log',
    output: z.object({ purged: z.array(ShellId) }),
    errors: [],
  },
} as const satisfies Record<string, RouteDef>;

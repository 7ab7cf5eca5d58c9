/** Shellspec: how a shell is described in YAML, what is remembered of it on disk, and what is shown of it. */
import { z } from 'zod';
import { PtySize } from './terminal.ts';

/** pipe: we hold stdin and stdout, it ends with us. proc: on its own, writing to its log. dtach: in a dtach session. pty: in the pty host. */
const BACKENDS = ['pipe', 'proc', 'dtach', 'pty'] as const;
export type Backend = (typeof BACKENDS)[number];

/** In file names, labels of metrics and URLs. */
const Name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, 'expected 1-64 letters, digits, `_`, `.`, `-`');
/** A line break or NUL in one of these is a mistake, and would reach a process. */
const Word = z.string().regex(/^[^\0]*$/, 'must not hold a NUL');
const Milliseconds = z.number().int().min(1).max(86_400_000);

const POLICIES = ['never', 'on-failure', 'always'] as const;

const RestartObject = z.strictObject({
  policy: z.enum(POLICIES).default('on-failure'),
  /** Given up after so many starts in `window_ms`. */
  max_restarts: z.number().int().min(1).max(1000).default(5),
  window_ms: Milliseconds.default(60_000),
  backoff_ms: Milliseconds.default(500),
  max_backoff_ms: Milliseconds.default(16_000),
});
export type Restart = z.infer<typeof RestartObject>;

const restart = z
  .union([z.enum(POLICIES), RestartObject], { error: 'expected never, on-failure, always, or {policy: …}' })
  .transform((given): Restart => (typeof given === 'string' ? RestartObject.parse({ policy: given }) : given));

const timing = {
  every_ms: Milliseconds.default(5_000),
  timeout_ms: Milliseconds.default(2_000),
  /** So many in a row make it unhealthy. */
  failures: z.number().int().min(1).max(100).default(3),
  /** Failures do not count while it starts. */
  start_ms: z.number().int().min(0).max(86_400_000).default(5_000),
};

/** A port may come from `${free_port}`, and is a text then. */
const Port = z.union([z.number().int().min(1).max(65_535), z.string().min(1)]);

const Health = z.discriminatedUnion('check', [
  z.strictObject({ check: z.literal('process'), ...timing }),
  z.strictObject({ check: z.literal('port'), port: Port, host: z.string().min(1).default('127.0.0.1'), ...timing }),
  z.strictObject({ check: z.literal('command'), command: z.array(Word).min(1).max(256), ...timing }),
]);
export type Health = z.infer<typeof Health>;

const Stop = z.strictObject({
  /** False: it goes on when the server stops in good order, and is taken up at the next start. */
  with_server: z.boolean().default(true),
  /** Between asking it to end and ending it. */
  grace_ms: z.number().int().min(0).max(60_000).default(3_000),
});

const Ui = z.strictObject({
  title: z.string().max(80).optional(),
  description: z.string().max(400).optional(),
});

export const ShellSpec = z.strictObject({
  backend: z.enum(BACKENDS),
  cwd: Word.default('$' + '{CWD}'),
  /** A text is given to `sh -c`. */
  command: z.union([z.array(Word).min(1).max(256), Word.min(1)], {
    error: 'expected a list of words, or one text for sh',
  }),
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'not a name of a variable'), Word).default({}),
  labels: z.record(Name, z.string().max(200)).default({}),
  subgroups: z.array(Name).max(8).default([]),
  ui: Ui.default({}),
  restart: restart.prefault('never'),
  health: Health.optional(),
  stop: Stop.prefault({}),
});
export type ShellSpec = z.infer<typeof ShellSpec>;

export const ShellspecFile = z.strictObject({
  version: z.literal('1', { error: 'expected "1", in quotes' }),
  shells: z
    .record(Name, ShellSpec)
    .refine((shells) => Object.keys(shells).length > 0, 'there is no shell in it')
    .refine((shells) => Object.keys(shells).length <= MAX_SHELLS_PER_FILE, 'more shells than a file may hold'),
});
export type ShellspecFile = z.infer<typeof ShellspecFile>;

/** More in one file is not written by people. */
const MAX_SHELLS_PER_FILE = 200;

/** starting and running: there is a process. waiting: it ended and is started again in a moment. gone: it ended while nobody watched. */
const STATES = ['starting', 'running', 'stopping', 'waiting', 'stopped', 'exited', 'failed', 'gone'] as const;
export type ShellState = (typeof STATES)[number];

export const ShellId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,80}$/, 'not the id of a shell');

const Rendered = z.object({
  backend: z.enum(BACKENDS),
  cwd: z.string(),
  command: z.array(z.string()).min(1),
  env: z.record(z.string(), z.string()),
  labels: z.record(z.string(), z.string()),
  subgroups: z.array(z.string()),
  ui: Ui,
  restart: RestartObject,
  health: Health.nullable(),
  stop: Stop,
});
/** A spec with everything filled in: what is started. */
export type Rendered = z.infer<typeof Rendered>;

const Exit = z.object({
  /** Null when nobody saw it. */
  code: z.number().int().nullable(),
  signal: z.string().nullable(),
  at: z.string(),
  reason: z.string(),
});

/** `meta/<id>.json`: private to its user, since the environment of a spec may hold secrets. */
export const ShellRecord = z.object({
  id: ShellId,
  /** `file#shell`, and the name of one of several. */
  ref: z.string(),
  spec: Rendered,
  state: z.enum(STATES),
  /** Whether it is to run: what was stopped on purpose stays stopped. */
  is_wanted: z.boolean(),
  pid: z.number().int().nullable(),
  start_time: z.string().nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  exit: Exit.nullable(),
  restarts: z.number().int(),
  /** The log holds everything from this offset on; what is older is in archives or dropped. */
  log_base: z.number().int(),
  /** Where in the log the last start begins. */
  log_start: z.number().int(),
  /** Whether the environment carries our mark. */
  is_marked: z.boolean(),
  socket: z.string().nullable(),
});
export type ShellRecord = z.infer<typeof ShellRecord>;

const Usage = z.object({
  cpu_percent: z.number(),
  memory_bytes: z.number().int(),
  processes: z.number().int(),
  /** TCP ports on which its processes listen, sorted; none where the system does not tell, and of a part of Signalbox itself. */
  ports: z.array(z.number().int()),
});
export type Usage = z.infer<typeof Usage>;

export const ShellView = z.object({
  id: ShellId,
  ref: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  backend: z.enum(BACKENDS),
  state: z.enum(STATES),
  health: z.enum(['unknown', 'healthy', 'unhealthy']),
  pid: z.number().int().nullable(),
  cwd: z.string(),
  command: z.array(z.string()),
  /** Names only: values may be secrets. */
  env_names: z.array(z.string()),
  labels: z.record(z.string(), z.string()),
  subgroups: z.array(z.string()),
  restart: z.enum(POLICIES),
  restarts: z.number().int(),
  /** A part of Signalbox itself: only a person at the page may end it. */
  is_infrastructure: z.boolean(),
  /** Running since before this server. */
  is_adopted: z.boolean(),
  takes_input: z.boolean(),
  started_at: z.string().nullable(),
  exit: Exit.nullable(),
  usage: Usage.nullable(),
  log_bytes: z.number().int(),
  /** For `dtach -a`. */
  socket: z.string().nullable(),
});
export type ShellView = z.infer<typeof ShellView>;

/** One shell of a project's shellspec as it is written: only `${CWD}` is filled in, so no value of the server's environment is in it. */
const ProjectShell = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  backend: z.enum(BACKENDS),
  /** One line that a shell would read as the same words, or the text that is given to `sh -c`. */
  command: z.string(),
  cwd: z.string(),
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  /** It runs again and again while the shell runs. */
  health_command: z.string().nullable(),
  restart: z.enum(POLICIES),
  /** Names of `${ctx:NAME}` without a fallback: such a shell is started on the command line, with `--ctx`. */
  missing: z.array(z.string()),
});
export type ProjectShell = z.infer<typeof ProjectShell>;

export const ProjectSpecFile = z.object({
  /** Absolute and without symbolic links: what `upShells` takes. */
  file: z.string(),
  /** From the directory of the conversation on. */
  path: z.string(),
  cwd: z.string(),
  /** Of the content; `upShells` refuses a file that has another one by then. Empty for a file that was not read. */
  sha256: z.string(),
  /** Why nothing of the file can be started; null if it is well. */
  problem: z.string().nullable(),
  shells: z.array(ProjectShell),
});
export type ProjectSpecFile = z.infer<typeof ProjectSpecFile>;

export const LogPage = z.object({
  text: z.string(),
  /** Offsets in bytes since the first start; they never go back. */
  offset: z.number().int(),
  next_offset: z.number().int(),
  /** The oldest byte that is still there. */
  first_offset: z.number().int(),
  total_bytes: z.number().int(),
});
export type LogPage = z.infer<typeof LogPage>;

/** What a client of `WS /fws/logs` says. */
export const ShellsAsk = z.discriminatedUnion('type', [
  /** Without an offset: from the last lines on. */
  z.object({ type: z.literal('follow'), shell_id: ShellId, offset: z.number().int().min(0).optional() }),
  z.object({ type: z.literal('unfollow'), shell_id: ShellId }),
  z.object({ type: z.literal('input'), shell_id: ShellId, data: z.string().max(65_536) }),
  /** For a shell with `backend: pty`; as its program sees it. */
  z.object({ type: z.literal('resize'), shell_id: ShellId, ...PtySize.shape }),
]);
export type ShellsAsk = z.infer<typeof ShellsAsk>;

/** What it hears. */
export type ShellsFrame =
  | { readonly type: 'shells'; readonly shells: readonly ShellView[] }
  | ({ readonly type: 'log'; readonly shell_id: string } & LogPage)
  | { readonly type: 'refused'; readonly code: string; readonly message: string };

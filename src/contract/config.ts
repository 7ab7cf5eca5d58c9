/** `config.toml`: every setting of the server, its default, and where a flag or variable overrides it. */
import { z } from 'zod';
import { TOKEN_SCOPES, TokenScope } from './access.ts';
import { ApprovalModeInput, SANDBOXES } from './conversation.ts';
import { ExternalEventsConfig } from './external-event.ts';

export const Config = z.strictObject({
  server: z
    .strictObject({
      host: z.string().default('127.0.0.1'),
      port: z.number().int().min(0).max(65_535).default(12_359),
      /** Open the page in a browser when the server starts. */
      open: z.boolean().default(true),
    })
    .prefault({}),
  access: z
    .strictObject({
      /** What the token in `run/server.json` may do, and so the command line. Every program of the user can read that file. */
      server_token_scopes: z.array(TokenScope).default([...TOKEN_SCOPES]),
    })
    .prefault({}),
  codex: z
    .strictObject({
      /** Another Codex than the bundled one. */
      command: z.string().min(1).optional(),
      home: z.string().min(1).optional(),
      transport: z.enum(['unix', 'stdio']).default('unix'),
      /** Extra `-c key=value` arguments for Codex. */
      config: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
    })
    .prefault({}),
  demo: z
    .strictObject({
      /** auto: the demo model answers when Codex has neither a login nor a provider. */
      model: z.enum(['auto', 'always', 'never']).default('auto'),
      /** Pause of the demo model after each few characters. 15 is about 400 characters a second; 0 sends the answer at once. */
      delay_ms: z.number().int().min(0).max(1_000).default(15),
    })
    .prefault({}),
  conversations: z
    .strictObject({
      approval: ApprovalModeInput.default('on-request'),
      sandbox: z.enum(SANDBOXES).default('workspace-write'),
      model: z.string().min(1).optional(),
      reasoning_effort: z.string().min(1).optional(),
      command_output_lines: z.number().int().min(1).max(10_000).default(20),
    })
    .prefault({}),
  shells: z
    .strictObject({
      /** Make FRAMEWORK_SHELLS_SECRET when there is none; otherwise it must be given. */
      create_secret: z.boolean().default(true),
    })
    .prefault({}),
  terminal: z
    .strictObject({
      /** Another shell than the account's. */
      shell: z.string().min(1).optional(),
      /** Of a command's output so many bytes at the beginning and at the end are kept in its file. */
      output_head_bytes: z
        .number()
        .int()
        .min(0)
        .max(64 * 1024 * 1024)
        .default(256 * 1024),
      output_tail_bytes: z
        .number()
        .int()
        .min(0)
        .max(6 * 1024 * 1024)
        .default(1024 * 1024),
    })
    .prefault({}),
  external_events: ExternalEventsConfig.prefault({}),
  notify: z
    .strictObject({
      /** Program and arguments, run without a shell when Codex waits for an answer and when a turn has ended. */
      command: z.array(z.string()).min(1).optional(),
    })
    .prefault({}),
  debug: z.strictObject({ enabled: z.boolean().default(false) }).prefault({}),
  log: z.strictObject({ level: z.enum(['debug', 'info', 'warn', 'error']).default('info') }).prefault({}),
});
export type Config = z.infer<typeof Config>;

/** Small files the server leaves for itself, the command line and scripts: `run/*.json` and what a turn must not lose. */
import { z } from 'zod';

/** `run/server.json`: how the command line and scripts find the server. */
export const ServerRecord = z.object({
  pid: z.number().int(),
  start_time: z.string().nullable(),
  url: z.string(),
  api_token: z.string(),
  started_at: z.string(),
  version: z.string(),
});
export type ServerRecord = z.infer<typeof ServerRecord>;

/** `run/codex.json`: the Codex process that may be adopted. */
export const CodexRecord = z.object({
  pid: z.number().int(),
  start_time: z.string(),
  epoch: z.string(),
  socket: z.string(),
  /** Everything that decides how it behaves: a process started otherwise is not ours to adopt. */
  launch: z.string(),
});
export type CodexRecord = z.infer<typeof CodexRecord>;

/** `run/demo-model.json`: the port stays the same over restarts, since a Codex that outlives us goes on calling it. */
export const DemoRecord = z.object({ port: z.number().int() });

/** `run/mcp.json`: what tokens are made with, and the port that a Codex which outlives us goes on calling. */
export const McpRecord = z.object({ secret: z.string().min(32), port: z.number().int().nullable() });
export type McpRecord = z.infer<typeof McpRecord>;

/** `turn_memory.json`: only its writer reads it back, so its shape is checked no deeper than a torn or foreign file needs. */
export const TurnMemoryFile = z.object({
  turn_id: z.string().nullable(),
  asks: z.array(z.unknown()),
  plan: z.unknown(),
  children: z.array(z.string()).optional(),
  outgoing: z.array(z.string()).optional(),
});

/** `run/first-start.json`: the first server of this home since the machine was started. */
export const FirstStart = z.object({
  boot_id: z.string(),
  start_ticks: z.number().int().min(0),
  /** The highest process limits that servers gave to what they started since then. Absent: one of them gave none. */
  limits: z.object({ agent: z.number().int(), shell: z.number().int() }).optional(),
});
export type FirstStart = z.infer<typeof FirstStart>;

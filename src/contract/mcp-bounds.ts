/** Bounds of a call of an MCP tool. Apart from the tools themselves, which are loaded with the first call. */

/** Text of one answer: a page a model reads at a glance; the rest is a cursor away. */
export const MAX_TOOL_TEXT_BYTES = 32 * 1024;
/** A model turn is not held longer than this by one call; the answer says how to go on waiting. */
export const MAX_TOOL_WAIT_MS = 110_000;
/** Codex gives a call up after this many seconds: later than any of ours ends. */
export const TOOL_TIMEOUT_SEC = 120;

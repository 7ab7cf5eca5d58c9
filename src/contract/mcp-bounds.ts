/** Names of the MCP tools and bounds of their calls. Apart from the tools themselves, which are loaded with the first call. */

/** Text of one answer: a page a model reads at a glance; the rest is a cursor away. */
export const MAX_TOOL_TEXT_BYTES = 32 * 1024;
/** A model turn is not held longer than this by one call; the answer says how to go on waiting. */
export const MAX_TOOL_WAIT_MS = 110_000;
/** Codex gives a call up after this many seconds: later than any of ours ends. */
export const TOOL_TIMEOUT_SEC = 120;

/** Every tool: Codex is told at its start how each is approved. */
export const TOOL_NAMES = [
  'pty_status',
  'pty_read_screen',
  'pty_read_scrollback',
  'blocks_since',
  'blocks_get',
  'blocks_read',
  'blocks_search',
  'pty_exec',
  'pty_exec_interactive',
  'pty_send',
  'pty_wait_for',
  'pty_wait_prompt',
  'pty_expect_send',
  'pty_ctrl_c',
  'pty_resize',
  'pty_close',
  'agent_log_post',
  'agent_log_read',
  'agent_log_inbox',
  'agent_log_get',
  'agent_log_await',
  'agent_log_post_await',
  'agent_send_message',
  'agent_send_message_await',
  'events_list',
  'events_read',
  'events_ack',
  'events_send',
  'changes_status',
  'changes_diff',
] as const;

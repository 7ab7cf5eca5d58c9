/** Records for tests that care about one or two of their fields. */
import { ALL_CONTEXT, NO_CONTEXT_MEMORY } from '../contract/context.ts';
import type { ConversationMeta, ConversationRow } from '../contract/conversation.ts';
import type { EventItem } from '../contract/external-event.ts';
import type { ShellView } from '../contract/shellspec.ts';

const AT = '2026-01-01T00:00:00.000Z';
const ID = `conv_${'a'.repeat(32)}`;

export function sampleMeta(change: Partial<ConversationMeta> = {}): ConversationMeta {
  return {
    conversation_id: ID,
    thread_id: null,
    lost_threads: [],
    label: null,
    model: null,
    reasoning_effort: null,
    approval: 'on-request',
    sandbox: 'workspace-write',
    cwd: '/w',
    markdown: true,
    command_output_lines: 20,
    pinned: false,
    draft: '',
    mode: 'default',
    rollout_path: null,
    preview: '',
    created_at: AT,
    updated_at: AT,
    archived: false,
    revision: 0,
    queue: [],
    queue_paused: false,
    read_seq: 0,
    unread: 0,
    forked_from: null,
    attempt: null,
    history: null,
    context: ALL_CONTEXT,
    pending_cmd_buffer: null,
    context_memory: NO_CONTEXT_MEMORY,
    reset_settings: [],
    recovering: null,
    real_cwd: null,
    ...change,
  };
}

export function sampleRow(change: Partial<ConversationRow> = {}): ConversationRow {
  return {
    id: ID,
    thread_id: null,
    label: null,
    preview: '',
    cwd: '/w',
    model: null,
    state: 'idle',
    pending_approvals: 0,
    queued: 0,
    revision: 0,
    pinned: false,
    archived: false,
    last_seq: 0,
    read_seq: 0,
    unread: 0,
    forked_from: null,
    created_at: AT,
    updated_at: AT,
    active_at: AT,
    source: 'signalbox',
    ...change,
  };
}

export function sampleShell(change: Partial<ShellView> = {}): ShellView {
  return {
    id: 'web-1a2b3c',
    ref: '/dev.yaml#web',
    title: 'web',
    description: null,
    backend: 'proc',
    state: 'running',
    health: 'unknown',
    pid: 1,
    cwd: '/',
    command: ['x'],
    env_names: [],
    labels: {},
    subgroups: [],
    restart: 'never',
    restarts: 0,
    is_infrastructure: false,
    is_adopted: false,
    takes_input: false,
    started_at: null,
    exit: null,
    usage: null,
    log_bytes: 0,
    socket: null,
    ...change,
  };
}

export function sampleEventItem(change: Partial<EventItem> = {}): EventItem {
  return {
    event_seq: 1,
    event_id: 'e',
    type: 'build.failed',
    severity: 'info',
    title: '',
    summary: '',
    source: { name: 'ci' },
    time_unix_ms: 0,
    received_at: AT,
    ingress: 'http',
    trust: { origin: 'local', authenticated: true, provenance: 'token', treat_as_instruction: false },
    ...change,
  };
}

/** The settings of a conversation and a message → the parameters each request to Codex takes. Pure. */
import type { ConversationMeta, ImageInput, Sandbox } from '../../contract/conversation.ts';
import type { OutgoingContext } from '../context/carriers.ts';
import type { ProjectLevels } from '../trust/project-levels.ts';
import { codexTurnId } from './normalize.ts';
import { profileOf } from './permission-profiles.ts';
import type { AppliedSettings } from './signal.ts';

/** The settings of a conversation that Codex is given. */
export type ThreadSettings = Pick<
  ConversationMeta,
  'cwd' | 'model' | 'reasoning_effort' | 'approval' | 'sandbox' | 'mode' | 'reset_settings'
>;

/** What Codex uses where nobody has chosen; null where it does not say. */
export interface CodexDefaults {
  readonly model: string | null;
  readonly effort: string | null;
}

export const NO_DEFAULTS: CodexDefaults = { model: null, effort: null };

export interface OutgoingMessage extends OutgoingContext {
  readonly text: string;
  readonly images: readonly ImageInput[];
  readonly clientMessageId: string;
}

/** Configuration that defines the permission profiles of a thread; null for a Codex that knows none. */
export type Profiles = Record<string, unknown> | null;

/** `thread/start` takes the effort only as configuration, and the sandbox as a word or the name of a profile. */
export function threadStartParams(
  settings: ThreadSettings,
  levels: ProjectLevels,
  profiles: Profiles,
): Record<string, unknown> {
  return {
    cwd: settings.cwd,
    ...(settings.model !== null && { model: settings.model }),
    approvalPolicy: settings.approval,
    ...threadSandbox(settings.sandbox, profiles),
    config: {
      ...profiles,
      model_reasoning_summary: 'auto',
      ...(settings.reasoning_effort !== null && { model_reasoning_effort: settings.reasoning_effort }),
      ...projectConfig(levels),
    },
  };
}

function threadSandbox(sandbox: Sandbox, profiles: Profiles): Record<string, unknown> {
  const profile = profiles === null ? null : profileOf(sandbox);
  return profile === null ? { sandbox } : { permissions: profile };
}

/**
 * Without a level, the sandbox of a thread makes Codex mark its project as trusted in the user's config.toml, and load the project's
 * configuration. As a table, since Codex ignores a dotted key with a path in it.
 */
function projectConfig(levels: ProjectLevels): Record<string, unknown> {
  return {
    projects: Object.fromEntries(Object.entries(levels).map(([path, level]) => [path, { trust_level: level }])),
  };
}

/** A loaded thread ignores these settings; a cold one takes them instead of what it had. */
export function threadResumeParams(
  threadId: string,
  settings: ThreadSettings,
  newestTurns: number,
  levels: ProjectLevels,
  profiles: Profiles,
): Record<string, unknown> {
  return {
    threadId,
    excludeTurns: true,
    cwd: settings.cwd,
    ...(settings.model !== null && { model: settings.model }),
    approvalPolicy: settings.approval,
    ...threadSandbox(settings.sandbox, profiles),
    config: { ...profiles, ...projectConfig(levels) },
    initialTurnsPage: newestFirst(newestTurns),
  };
}

export function turnsListParams(threadId: string, limit: number, cursor: string | null): Record<string, unknown> {
  return { threadId, ...newestFirst(limit), ...(cursor !== null && { cursor }) };
}

const newestFirst = (limit: number) => ({ limit, sortDirection: 'desc', itemsView: 'full' }) as const;

export interface ThreadsQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly archived?: boolean | undefined;
  readonly q?: string | undefined;
}

/** Codex refuses a longer page of threads. */
const MAX_THREADS_PAGE = 100;

export function threadsListParams({ limit, cursor, archived, q }: ThreadsQuery): Record<string, unknown> {
  return {
    limit: Math.min(limit, MAX_THREADS_PAGE),
    sortKey: 'updated_at',
    modelProviders: [],
    // All but the threads of sub-agents; Codex lists only some of them by itself.
    sourceKinds: ['cli', 'vscode', 'exec', 'appServer', 'unknown'],
    archived: archived ?? false,
    useStateDbOnly: true,
    ...(cursor !== undefined && { cursor }),
    ...(q !== undefined && q !== '' && { searchTerm: q }),
  };
}

export function threadForkParams(
  threadId: string,
  lastTurnId: string | undefined,
  levels: ProjectLevels,
  profiles: Profiles,
): Record<string, unknown> {
  return {
    threadId,
    excludeTurns: true,
    config: { ...profiles, ...projectConfig(levels) },
    ...(lastTurnId !== undefined && { lastTurnId: codexTurnId(lastTurnId) }),
  };
}

/** The part that `turn/start` and `turn/steer` share. */
function messageParams(message: OutgoingMessage): Record<string, unknown> {
  const { additionalContext, clientMessageId } = message;
  return {
    input: inputOf(message),
    clientUserMessageId: clientMessageId,
    ...(additionalContext !== undefined && { additionalContext }),
  };
}

/** `overrides`: what `turnOverrides` made; empty if Codex runs the thread with exactly these settings. */
export function turnStartParams(
  threadId: string,
  message: OutgoingMessage,
  overrides: Record<string, unknown>,
): Record<string, unknown> {
  return { threadId, ...messageParams(message), ...overrides };
}

/** Every setting of the conversation. They stay in force in Codex, so a turn names all of them: the sidecar stays the only truth. */
export function turnOverrides(
  settings: ThreadSettings,
  applied: AppliedSettings,
  hasProfiles: boolean,
  defaults: CodexDefaults = NO_DEFAULTS,
): Record<string, unknown> {
  const named = withDefaults(settings, defaults);
  return {
    cwd: named.cwd,
    ...(named.model !== null && { model: named.model }),
    ...(named.reasoning_effort !== null && { effort: named.reasoning_effort }),
    summary: 'auto',
    approvalPolicy: named.approval,
    ...turnSandbox(named.sandbox, applied, hasProfiles),
    ...collaborationMode(named, applied),
  };
}

/** A setting that was set back to null is named with Codex's default: without a name the last value stays in force. */
function withDefaults(settings: ThreadSettings, defaults: CodexDefaults): ThreadSettings {
  const { model, reasoning_effort: effort, reset_settings: reset } = settings;
  return {
    ...settings,
    model: model ?? (reset.includes('model') ? defaults.model : null),
    reasoning_effort: effort ?? (reset.includes('reasoning_effort') ? defaults.effort : null),
  };
}

export function turnSteerParams(threadId: string, turnId: string, message: OutgoingMessage): Record<string, unknown> {
  return { threadId, expectedTurnId: codexTurnId(turnId), ...messageParams(message) };
}

/** Plan mode, too, is sticky: it has to be left by name. It must name a model. */
function collaborationMode(settings: ThreadSettings, applied: AppliedSettings): Record<string, unknown> {
  const model = settings.model ?? applied.model;
  if (model === null || (settings.mode !== 'plan' && applied.mode !== 'plan')) return {};
  const { mode, reasoning_effort } = settings;
  return { collaborationMode: { mode, settings: { model, reasoning_effort, developer_instructions: null } } };
}

export function inputOf(
  message: Pick<OutgoingMessage, 'text' | 'images' | 'textPrefix'>,
): readonly Record<string, unknown>[] {
  const images = message.images.map((image) =>
    image.kind === 'url' ? { type: 'image', url: image.value } : { type: 'localImage', path: image.value },
  );
  const text = `${message.textPrefix ?? ''}${message.text}`.toWellFormed();
  return text === '' ? images : [{ type: 'text', text, text_elements: [] }, ...images];
}

const SANDBOX_TYPES: Readonly<Record<Sandbox, string>> = {
  'read-only': 'readOnly',
  'workspace-write': 'workspaceWrite',
  'danger-full-access': 'dangerFullAccess',
};

/** By the name of its profile, each time. Without profiles the policy only when it differs, since it overwrites what the user's config adds. */
function turnSandbox(sandbox: Sandbox, applied: AppliedSettings, hasProfiles: boolean): Record<string, unknown> {
  const profile = hasProfiles ? profileOf(sandbox) : null;
  if (profile !== null) return { permissions: profile };
  return applied.sandboxType === SANDBOX_TYPES[sandbox] ? {} : { sandboxPolicy: sandboxPolicy(sandbox) };
}

function sandboxPolicy(sandbox: Sandbox): Record<string, unknown> {
  if (sandbox !== 'workspace-write') return { type: SANDBOX_TYPES[sandbox] };
  return {
    type: 'workspaceWrite',
    writableRoots: [],
    networkAccess: false,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: false,
  };
}

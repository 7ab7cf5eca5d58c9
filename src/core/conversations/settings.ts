/** The settings of a conversation: what happens when somebody changes one, and what a turn nobody asked for may do. */
import { type ContextSettings, FRAGMENT_NAMES, type FragmentName } from '../../contract/context.ts';
import type { ApprovalMode, ConversationMeta, Model, Sandbox, SettingsPatch } from '../../contract/conversation.ts';

/** For a turn nobody asked for: never freer than the conversation, never without asking, never out of the sandbox. */
export function unattended<S extends Pick<ConversationMeta, 'approval' | 'sandbox'>>(settings: S): S {
  const { approval, sandbox } = settings;
  return {
    ...settings,
    approval: approval === 'never' ? 'on-request' : approval,
    sandbox: sandbox === 'danger-full-access' ? 'workspace-write' : sandbox,
  };
}

interface Rights extends Pick<ConversationMeta, 'conversation_id' | 'approval' | 'sandbox' | 'cwd'> {
  readonly real_cwd?: string | null;
}

/** The settings that decide what an agent may do without asking, in a fixed order: they are sealed. A seal from before `real_cwd` stays good. */
export const rightsOf = ({ conversation_id, approval, sandbox, cwd, real_cwd = null }: Rights): Rights => ({
  conversation_id,
  approval,
  sandbox,
  cwd,
  ...(real_cwd !== null && { real_cwd }),
});

/**
 * Why no turn may start in this directory; null if one may. A program that may write beside the directory can put a link in its place, and
 * Codex would draw the sandbox around the target of the link.
 */
export function whyMoved({ cwd, real_cwd }: Pick<ConversationMeta, 'cwd' | 'real_cwd'>, now: string): string | null {
  if (real_cwd === null || now === real_cwd) return null;
  return `${cwd} led to ${real_cwd} when it was chosen, and leads to ${now} now: if that is right, choose ${now} as the directory of the conversation`;
}

/** For settings that nobody here chose: everything is asked about, and nothing can be written. */
export const withSafeRights = (meta: ConversationMeta): ConversationMeta => ({
  ...meta,
  approval: 'untrusted',
  sandbox: 'read-only',
});

const APPROVAL_ORDER: readonly ApprovalMode[] = ['untrusted', 'on-request', 'never'];
const SANDBOX_ORDER: readonly Sandbox[] = ['read-only', 'workspace-write', 'danger-full-access'];

/** Whether a change asks less often, or lets more happen, than before. The directory is compared by `isInside`, on real paths. */
export function isLooser(
  before: { readonly approval: ApprovalMode; readonly sandbox: Sandbox },
  patch: { readonly approval?: ApprovalMode | undefined; readonly sandbox?: Sandbox | undefined },
): boolean {
  const asksLess = APPROVAL_ORDER.indexOf(patch.approval ?? before.approval) > APPROVAL_ORDER.indexOf(before.approval);
  const opensMore = SANDBOX_ORDER.indexOf(patch.sandbox ?? before.sandbox) > SANDBOX_ORDER.indexOf(before.sandbox);
  return asksLess || opensMore;
}

/**
 * Whether `path` is `directory` or below it. The sandbox of a conversation may write in its directory, so another one outside
 * is a wider sandbox. Both are real paths: absolute, without `..` and without symbolic links.
 */
export function isInside(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory.endsWith('/') ? directory : `${directory}/`);
}

/** Absent fields stay. An effort the (new) model lacks falls back to that model's default. */
export function applyPatch(
  meta: ConversationMeta,
  patch: SettingsPatch,
  models: readonly Model[],
  now: string,
): ConversationMeta {
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const context = patchContext(meta.context, patch.context ?? {});
  const next: ConversationMeta = { ...meta, ...given, context, updated_at: now, revision: meta.revision + 1 };
  // The next message may run with another model or effort than the last one did.
  if (patch.model !== undefined) delete next.applied_model;
  if (patch.model !== undefined || patch.reasoning_effort !== undefined) delete next.applied_effort;
  // Whoever turns it off does not want what was gathered before to go out later.
  if (!context.commands) next.pending_cmd_buffer = null;
  next.reset_settings = resetSettings(meta, patch);
  return { ...next, reasoning_effort: supportedEffort(next.model, next.reasoning_effort, models) };
}

/** Codex keeps the last model and effort of a thread, so a setting that goes back to null has to be reset there by name. */
function resetSettings(meta: ConversationMeta, patch: SettingsPatch): ConversationMeta['reset_settings'] {
  const names = ['model', 'reasoning_effort'] as const;
  return names.filter((name) => {
    const value = patch[name];
    if (value === undefined) return meta.reset_settings.includes(name);
    return value === null && meta.thread_id !== null;
  });
}

export function patchContext(
  before: ContextSettings,
  patch: { readonly [K in FragmentName]?: boolean | undefined },
): ContextSettings {
  const next = { ...before };
  for (const name of FRAGMENT_NAMES) next[name] = patch[name] ?? next[name];
  return next;
}

export function supportedEffort(
  modelId: string | null,
  effort: string | null,
  models: readonly Model[],
): string | null {
  if (effort === null) return null;
  const model = modelId === null ? models.find((one) => one.is_default) : models.find((one) => one.id === modelId);
  if (model === undefined || model.efforts.length === 0) return effort;
  return model.efforts.some((one) => one.effort === effort) ? effort : model.default_effort;
}

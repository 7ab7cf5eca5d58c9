/** The sidecar's settings → the parameters each Codex method takes, and what happens when somebody changes one. */
import { type ContextSettings, FRAGMENT_NAMES, type FragmentName } from '../../contract/context.ts';
import type {
  ApprovalMode,
  ConversationMeta,
  ImageInput,
  Model,
  Sandbox,
  SettingsPatch,
} from '../../contract/conversation.ts';

/** What Codex said a loaded thread runs with. */
export interface AppliedSettings {
  readonly sandboxType: string | null;
  /** The model it chose itself, and the mode its last turn left it in. */
  readonly model?: string | null;
  readonly mode?: string | null;
}

type Settings = Pick<ConversationMeta, 'cwd' | 'model' | 'reasoning_effort' | 'approval' | 'sandbox' | 'mode'>;

/** `thread/start` takes the effort only as configuration, and the sandbox as a word. */
export function threadStartParams(settings: Settings): Record<string, unknown> {
  return {
    cwd: settings.cwd,
    ...(settings.model !== null && { model: settings.model }),
    approvalPolicy: settings.approval,
    sandbox: settings.sandbox,
    config: {
      model_reasoning_summary: 'auto',
      ...(settings.reasoning_effort !== null && { model_reasoning_effort: settings.reasoning_effort }),
    },
  };
}

/** A loaded thread ignores these; a cold one takes them instead of what it had. */
export function threadResumeParams(threadId: string, settings: Settings): Record<string, unknown> {
  return {
    threadId,
    excludeTurns: true,
    cwd: settings.cwd,
    ...(settings.model !== null && { model: settings.model }),
    approvalPolicy: settings.approval,
    sandbox: settings.sandbox,
  };
}

/** What goes along with a message, in the form this Codex takes. */
export interface OutgoingContext {
  readonly additionalContext?: Readonly<Record<string, unknown>>;
  readonly textPrefix?: string;
}

export interface OutgoingMessage extends OutgoingContext {
  readonly text: string;
  readonly images: readonly ImageInput[];
  readonly clientMessageId: string;
}

/** What `turn/start` and `turn/steer` say of a message. */
export function messageParams(message: OutgoingMessage): Record<string, unknown> {
  const { additionalContext, clientMessageId } = message;
  return {
    input: inputOf(message),
    clientUserMessageId: clientMessageId,
    ...(additionalContext !== undefined && { additionalContext }),
  };
}

/** Overrides of a turn are sticky in Codex, so every turn says all of them: the sidecar stays the only truth. */
export function turnStartParams(
  threadId: string,
  message: OutgoingMessage,
  settings: Settings,
  applied: AppliedSettings,
): Record<string, unknown> {
  return {
    threadId,
    ...messageParams(message),
    cwd: settings.cwd,
    ...(settings.model !== null && { model: settings.model }),
    ...(settings.reasoning_effort !== null && { effort: settings.reasoning_effort }),
    summary: 'auto',
    approvalPolicy: settings.approval,
    // Only when it differs: the object form would overwrite what the user's own config adds (network, more roots).
    ...(applied.sandboxType !== SANDBOX_TYPES[settings.sandbox] && { sandboxPolicy: sandboxPolicy(settings.sandbox) }),
    ...collaborationMode(settings, applied),
  };
}

/** Plan mode, too, is sticky: it has to be left by name. It must name a model. */
function collaborationMode(settings: Settings, applied: AppliedSettings): Record<string, unknown> {
  const model = settings.model ?? applied.model ?? null;
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

/** For a turn nobody asked for: never freer than the conversation, never without asking, never out of the sandbox. */
export function unattended<S extends Settings>(settings: S): S {
  const { approval, sandbox } = settings;
  return {
    ...settings,
    approval: approval === 'never' ? 'on-request' : approval,
    sandbox: sandbox === 'danger-full-access' ? 'workspace-write' : sandbox,
  };
}

const APPROVAL_ORDER: readonly ApprovalMode[] = ['untrusted', 'on-request', 'never'];
const SANDBOX_ORDER: readonly Sandbox[] = ['read-only', 'workspace-write', 'danger-full-access'];

/** Whether a change asks less often, or lets more happen, than before. */
export function isLooser(
  before: { readonly approval: ApprovalMode; readonly sandbox: Sandbox },
  patch: { readonly approval?: ApprovalMode | undefined; readonly sandbox?: Sandbox | undefined },
): boolean {
  const asksLess = APPROVAL_ORDER.indexOf(patch.approval ?? before.approval) > APPROVAL_ORDER.indexOf(before.approval);
  const opensMore = SANDBOX_ORDER.indexOf(patch.sandbox ?? before.sandbox) > SANDBOX_ORDER.indexOf(before.sandbox);
  return asksLess || opensMore;
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
  // Whoever turns it off does not want what was gathered before to go out later.
  if (!context.commands) next.pending_cmd_buffer = null;
  return { ...next, reasoning_effort: supportedEffort(next.model, next.reasoning_effort, models) };
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

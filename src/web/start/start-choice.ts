/** What a person chose for the conversation that is about to begin, and what is sent of it. Pure. */
import type { ConversationMeta, Preferences, ProjectSetting } from '../../contract/conversation.ts';
import type { RouteCall } from '../../contract/routes.ts';

export type Settings = Pick<Preferences, ProjectSetting>;

export interface StartChoice {
  /** The directory the settings were chosen for: in another one they do not count. */
  readonly cwd: string;
  readonly settings: Partial<Settings>;
  readonly mode: ConversationMeta['mode'];
  /** Null: as `isRemembered` decides. */
  readonly remember: boolean | null;
}

export const NO_CHOICE: StartChoice = { cwd: '', settings: {}, mode: 'default', remember: null };

/** Settings chosen for another directory are dropped: what loosens one project must not reach the next. Plan mode stays. */
export function choiceIn(choice: StartChoice, cwd: string): StartChoice {
  return choice.cwd === cwd ? choice : { ...NO_CHOICE, cwd, mode: choice.mode };
}

/** Only what differs from what the project starts with anyway. */
export function choose(choice: StartChoice, defaults: Settings, change: Partial<Settings>): StartChoice {
  const all = Object.entries({ ...choice.settings, ...change });
  const known: Record<string, unknown> = defaults;
  return { ...choice, settings: Object.fromEntries(all.filter(([name, value]) => known[name] !== value)) };
}

/** Remembering is the rule; without asking or without a sandbox it is done only if the person says so. */
export function isRemembered({ remember, settings }: StartChoice): boolean {
  return remember ?? !(settings.approval === 'never' || settings.sandbox === 'danger-full-access');
}

/** Every setting is sent as it is shown: another window may have changed what the project starts with. */
export function startCall(choice: StartChoice, defaults: Settings | null): RouteCall<'createConversation'> {
  const mode = choice.mode === 'plan' ? ({ mode: 'plan' } as const) : {};
  if (defaults === null) return mode;
  const { model, reasoning_effort, approval, sandbox } = { ...defaults, ...choice.settings };
  const names = Object.keys(choice.settings) as ProjectSetting[];
  const remember = isRemembered(choice) && names.length > 0 ? { remember: names } : {};
  return { ...mode, model, reasoning_effort, approval, sandbox, ...remember };
}

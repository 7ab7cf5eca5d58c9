/** What a person has to confirm a second time, and the words that say what it means. Pure. */
import type { Act, TokenScope } from '../../contract/access.ts';
import type { ApprovalAnswer, Ask } from '../../contract/approval.ts';
import type { ApprovalMode, Sandbox } from '../../contract/conversation.ts';
import type { RepositoryProgram, ShipAction } from '../../contract/ship.ts';

/** One thing to be confirmed, with what is special about this one. */
export interface Step {
  readonly act: Act;
  /** What it means, one plain sentence each. */
  readonly means: readonly string[];
}

interface Loose {
  readonly approval?: ApprovalMode | undefined;
  readonly sandbox?: Sandbox | undefined;
}

/** Choosing *Never ask* or *No sandbox*, in a conversation or for new ones. What was chosen before is not asked about again. */
export function stepsOfSettings(before: Required<Loose>, patch: Loose): Step[] {
  const steps: Step[] = [];
  if (patch.approval === 'never' && before.approval !== 'never') {
    steps.push({ act: 'never_ask', means: ['Codex runs commands and changes files without asking you first.'] });
  }
  if (patch.sandbox === 'danger-full-access' && before.sandbox !== 'danger-full-access') {
    steps.push({
      act: 'no_sandbox',
      means: ['Commands of Codex can read and change every file you can, use the network, and reach this server.'],
    });
  }
  const after = { ...before, ...present(patch) };
  const isOpen = after.approval === 'never' && after.sandbox === 'danger-full-access';
  const last = steps.at(-1);
  if (!isOpen || last === undefined) return steps;
  const together =
    'Together with your other setting: whatever the model decides happens at once, with all your rights.';
  return [...steps.slice(0, -1), { ...last, means: [...last.means, together] }];
}

/**
 * For a new conversation in a project that remembers `remembered` and will also remember `kept`. A loose setting that the project
 * is about to remember is confirmed even where the conversation starts with it anyway: the project would keep it for good.
 */
export function stepsOfNew(
  before: Required<Loose>,
  patch: Loose,
  { cwd, kept, remembered }: { readonly cwd: string; readonly kept: Loose; readonly remembered: Loose },
): Step[] {
  const pins = {
    never_ask: kept.approval === 'never' && remembered.approval !== 'never',
    no_sandbox: kept.sandbox === 'danger-full-access' && remembered.sandbox !== 'danger-full-access',
  };
  const from: Required<Loose> = {
    approval: pins.never_ask ? 'on-request' : before.approval,
    sandbox: pins.no_sandbox ? 'workspace-write' : before.sandbox,
  };
  return stepsOfSettings(from, patch).map(({ act, means }) => {
    const lasts = (act === 'never_ask' || act === 'no_sandbox') && pins[act];
    return { act, means: lasts ? [...means, `New conversations in ${cwd} start with it too.`] : means };
  });
}

function present(patch: Loose): Loose {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}

export function stepsOfAnswer(ask: Ask, { decision }: Pick<ApprovalAnswer, 'decision'>): Step[] {
  if (decision !== 'accept_always') return [];
  return [
    {
      act: 'always_allow',
      means: [
        ruleOf(ask),
        'It holds in every project and every conversation, for good. Codex keeps it in its own rules.',
      ],
    },
  ];
}

function ruleOf(ask: Ask): string {
  switch (ask.kind) {
    case 'command':
      return ask.always_rule === undefined
        ? 'Codex will not ask about this again.'
        : `Codex runs every command that begins with this, without asking: ${ask.always_rule.join(' ')}`;
    case 'elicitation':
    case 'mcp_tool':
      return `Tools of ${ask.server} run without asking.`;
    default:
      return 'Codex will not ask about this again.';
  }
}

const SCOPE_MEANS: Readonly<Record<TokenScope, string>> = {
  read: 'Whoever has it reads your conversations, terminals, events and the board.',
  operate: 'Whoever has it sends messages to Codex as you, stops turns and publishes events.',
  run: 'Whoever has it runs any command as you, outside every sandbox.',
};

export function stepsOfToken(scopes: readonly TokenScope[]): Step[] {
  return [{ act: 'create_token', means: scopes.map((scope) => SCOPE_MEANS[scope]) }];
}

/** Keeping a project's configuration off needs no confirmation. */
export function stepsOfTrust(decision: 'trusted' | 'kept_off', folders: readonly { readonly path: string }[]): Step[] {
  if (decision !== 'trusted') return [];
  const means = [
    ...folders.map(({ path }) => `Codex loads the configuration in ${path}.`),
    'What it names runs as you, outside the sandbox and without asking, whenever Codex works in this project.',
  ];
  return [{ act: 'trust_workspace', means }];
}

/** `browser`: the description of the new browser. */
export function stepsOfLogin(browser: string): Step[] {
  return [
    {
      act: 'pair_browser',
      means: [`${browser} gets everything you have here: it can approve, run commands and change settings.`],
    },
  ];
}

/** A program that asks for it; a person at the page is not asked twice, since the change itself can be undone. */
export function stepsOfUndo(what: 'undo' | 'restore'): Step[] {
  const means =
    what === 'undo'
      ? 'Files that a turn changed get their earlier content.'
      : 'All files of the work tree get the content they had at this checkpoint.';
  return [{ act: 'undo_changes', means: [means, 'What they have now is kept, and can be brought back.'] }];
}

/** A program that asks for it, as with an undo. */
export function stepsOfSelection(act: 'stage' | 'unstage' | 'discard', files: number): Step[] {
  const what = `${files} ${files === 1 ? 'file' : 'files'}`;
  if (act === 'discard')
    return [
      {
        act: 'undo_changes',
        means: [`The unstaged changes of ${what} are discarded.`, 'They are kept, and can be brought back.'],
      },
    ];
  const means = act === 'stage' ? `Changes of ${what} go into the index.` : `Changes of ${what} leave the index.`;
  return [{ act: 'stage_changes', means: [means] }];
}

const SHIP_MEANS: Readonly<Record<ShipAction | 'cancel', string>> = {
  commit: 'Changed files are committed in your name.',
  branch: 'The work tree gets a new branch.',
  switch: 'The work tree is switched to another branch.',
  pull: 'Commits of the remote are brought into the branch.',
  push: 'The branch is pushed to the remote with your login.',
  pull_request: 'A pull request is opened with your login.',
  cancel: 'The action that runs is ended.',
};

/** A program that asks for it. A person at the page pressed the button for exactly this. */
export function stepsOfShip(action: ShipAction | 'cancel'): Step[] {
  return [{ act: 'ship', means: [SHIP_MEANS[action]] }];
}

/** More is not read; the number says that there is more. */
const MAX_PROGRAMS = 20;
const PROGRAM_KINDS = {
  hook: 'Hook',
  setting: 'Setting',
  remote: 'Remote on this disk, with hooks of its own:',
} as const;

/** `hash`: of everything that they are; with other contents they are asked about again. */
export function stepsOfPrograms(items: readonly RepositoryProgram[], hash: string): Step[] {
  const named = items
    .slice(0, MAX_PROGRAMS)
    .map(({ kind, name, detail }) => `${PROGRAM_KINDS[kind]} ${name}: ${detail}`);
  const more = items.length > MAX_PROGRAMS ? [`And ${items.length - MAX_PROGRAMS} more.`] : [];
  const means = [
    'This repository names programs and settings of its own. They run as you, outside every sandbox, as they would in your terminal:',
    ...named,
    ...more,
    'Hooks can also start other files of the repository, such as tests and scripts that Codex changed.',
    `You are asked again when one of them changes. (${hash.slice(0, 8)})`,
  ];
  return [{ act: 'run_programs', means }];
}

export function stepsOfForce(): Step[] {
  const means = [
    'Commits of the remote branch that are not in yours are replaced.',
    'Git refuses it if the remote has commits that you have not seen.',
  ];
  return [{ act: 'force_push', means }];
}

/** A program that asks for it: what it schedules is said in the person's name, also when the program and its token are gone. */
export function stepsOfSchedule(act: 'add' | 'change' | 'run' | 'remove', text: string | null): Step[] {
  const means = {
    add: 'From now on this message is sent to Codex at its times, as yours:',
    change: 'A schedule of yours is changed. Its message:',
    run: 'The message of a schedule is sent to Codex now, as yours.',
    remove: 'A schedule of yours is removed.',
  }[act];
  return [{ act: 'schedule', means: text === null ? [means] : [means, text] }];
}

const TITLES: Readonly<Record<Act, readonly [title: string, button: string]>> = {
  always_allow: ['Always allow this?', 'Always allow'],
  never_ask: ['Never ask?', 'Never ask'],
  no_sandbox: ['Work without a sandbox?', 'No sandbox'],
  trust_workspace: ['Trust this configuration?', 'Trust it'],
  pair_browser: ['Let another browser in?', 'Let it in'],
  create_token: ['Create this token?', 'Create the token'],
  undo_changes: ['Change these files back?', 'Change them back'],
  stage_changes: ['Change what is staged?', 'Change it'],
  ship: ['Do this in your repository?', 'Do it'],
  run_programs: ['Let this repository run its programs?', 'Trust and go on'],
  force_push: ['Replace the branch of the remote?', 'Replace it'],
  schedule: ['Change what is sent by itself?', 'Change it'],
};

/** The last step, which is the graver one, names the dialog. */
export function describeSteps(steps: readonly Step[]): {
  readonly title: string;
  readonly button: string;
  readonly means: readonly string[];
} {
  const [title, button] = TITLES[steps.at(-1)?.act ?? 'never_ask'];
  return { title, button, means: steps.flatMap(({ means }) => means) };
}

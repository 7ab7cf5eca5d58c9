/** What `/` offers in the message box: the palette's acts by short names, some with choices behind them. */
import { FORMATS } from '../../core/export/render-formats.ts';
import type { Commands } from '../state/commands.ts';
import type { AppState } from '../state/store.ts';
import { en } from '../strings/en.ts';

export interface SlashItem {
  readonly key: string;
  /** As typed: `/model`, or one of its choices. */
  readonly name: string;
  readonly hint: string;
  /** Typed on instead of run: there is more to say. */
  readonly completes?: string;
  readonly run?: () => void;
}

interface Slash {
  readonly name: string;
  readonly hint: string;
  readonly run?: () => void;
  readonly choices?: (rest: string) => readonly SlashItem[];
}

const TYPED = /^\/([a-z]*)(?:( )(.*))?$/i;

/** Empty when the text is no command: then it is sent as it stands. */
export function slashItems(text: string, state: AppState, commands: Commands): readonly SlashItem[] {
  const typed = TYPED.exec(text);
  if (typed === null) return [];
  const name = (typed[1] ?? '').toLowerCase();
  const all = slashes(state, commands);
  if (typed[2] !== undefined) {
    const one = all.find((each) => each.name === name);
    const fitting = one?.choices?.(typed[3] ?? '') ?? [];
    if (one?.choices === undefined || fitting.length > 0) return fitting;
    // Without a choice the text would be sent, and a mistyped name would cost a turn.
    return [{ ...toItem(one), ...(one.run === undefined && { hint: en.slash.noChoice }) }];
  }
  return all.filter((one) => one.name.startsWith(name)).map(toItem);
}

const toItem = ({ name, hint, run, choices }: Slash): SlashItem => ({
  key: name,
  name: `/${name}`,
  hint,
  ...(run !== undefined && { run }),
  ...(choices !== undefined && run === undefined && { completes: `/${name} ` }),
});

function slashes(state: AppState, commands: Commands): readonly Slash[] {
  const ofPage: readonly Slash[] = [
    { name: 'new', hint: en.slash.new, run: () => commands.startNew() },
    { name: 'settings', hint: en.slash.settings, run: () => commands.show('settings') },
    { name: 'account', hint: en.slash.account, run: () => commands.show('account') },
    { name: 'help', hint: en.slash.help, run: () => commands.show('shortcuts') },
  ];
  return [...ofConversation(state, commands), ...ofPage];
}

function ofConversation(state: AppState, commands: Commands): readonly Slash[] {
  const { openId: id, meta, view } = state;
  if (id === null || meta === null) return [];
  const isPlanning = meta.mode === 'plan';
  const ofThread: readonly Slash[] = [
    { name: 'compact', hint: en.slash.compact, run: () => void commands.compact(id) },
    { name: 'fork', hint: en.slash.fork, run: () => void commands.fork(id) },
  ];
  return [
    ...(view.live.activity.state === 'idle'
      ? []
      : [{ name: 'stop', hint: en.slash.stop, run: () => void commands.interrupt(id) }]),
    ...(meta.thread_id === null ? [] : ofThread),
    {
      name: 'review',
      hint: en.slash.review,
      run: () => commands.show('review'),
      choices: (rest) => reviews(rest, state, commands),
    },
    { name: 'model', hint: en.slash.model, choices: (rest) => models(rest, state, commands) },
    { name: 'effort', hint: en.slash.effort, choices: (rest) => efforts(rest, state, commands) },
    { name: 'approvals', hint: en.slash.approvals, choices: (rest) => approvals(rest, state, commands) },
    {
      name: 'plan',
      hint: isPlanning ? en.slash.act : en.slash.plan,
      run: () => void commands.patch(id, { mode: isPlanning ? 'default' : 'plan' }),
    },
    {
      name: 'rename',
      hint: en.slash.rename,
      run: () => commands.show('rename'),
      choices: (rest) => names(rest, state, commands),
    },
    { name: 'ps', hint: en.slash.ps, run: () => commands.setDevice({ drawer: 'shells' }) },
    { name: 'events', hint: en.slash.events, run: () => commands.setDevice({ drawer: 'events' }) },
    { name: 'find', hint: en.slash.find, run: () => commands.setFinding(true) },
    { name: 'markdown', hint: en.slash.markdown, run: () => void commands.patch(id, { markdown: !meta.markdown }) },
    { name: 'export', hint: en.slash.export, choices: (rest) => formats(rest, state, commands) },
    { name: 'archive', hint: en.slash.archive, run: () => void commands.setArchived(id, true) },
  ];
}

type Choices = (rest: string, state: AppState, commands: Commands) => readonly SlashItem[];

const models: Choices = (rest, { models: all, meta, openId }, commands) => {
  if (openId === null) return [];
  const current = meta?.model ?? all.find((one) => one.is_default)?.id;
  const listed = pick(rest, all, (one) => ({
    key: `model-${one.id}`,
    name: one.name,
    hint: one.id === current ? en.slash.now : one.description,
    run: () => void commands.patch(openId, { model: one.id }),
  }));
  const byDefault = all.find((one) => one.is_default)?.name ?? null;
  return [...listed, ...giveBack('model', rest, byDefault, () => void commands.patch(openId, { model: null }))];
};

const efforts: Choices = (rest, { models: all, meta, openId, list }, commands) => {
  if (openId === null) return [];
  const model = all.find((one) => (meta?.model == null ? one.is_default : one.id === meta.model));
  const applied = list.get(openId)?.applied_effort;
  const current = meta?.reasoning_effort ?? applied ?? model?.default_effort;
  const listed = pick(rest, model?.efforts ?? [], (one) => ({
    key: `effort-${one.effort}`,
    name: one.effort,
    hint: one.effort === current ? en.slash.now : one.description,
    run: () => void commands.patch(openId, { reasoning_effort: one.effort }),
  }));
  const reset = () => void commands.patch(openId, { reasoning_effort: null });
  return [...listed, ...giveBack('effort', rest, model?.default_effort ?? null, reset)];
};

/** The choice that leaves it to Codex. */
function giveBack(of: string, rest: string, chosen: string | null, run: () => void): readonly SlashItem[] {
  return pick(rest, [en.header.byDefault], (name) => ({
    key: `${of}-default`,
    name,
    hint: en.header.defaultNow(chosen),
    run,
  }));
}

const approvals: Choices = (rest, { meta, openId }, commands) => {
  if (openId === null) return [];
  return pick(rest, ['untrusted', 'on-request', 'never'] as const, (mode) => ({
    key: `approvals-${mode}`,
    name: en.approvalModes[mode].name,
    hint: mode === meta?.approval ? en.slash.now : en.approvalModes[mode].text,
    run: () => void commands.patch(openId, { approval: mode }),
  }));
};

const names: Choices = (rest, { openId }, commands) => {
  const label = rest.trim();
  if (openId === null || label === '') return [];
  const run = () => void commands.patch(openId, { label });
  return [{ key: 'rename-to', name: en.slash.renameTo(label), hint: '', run }];
};

/** What is typed behind it are the person's own instructions; everything else is chosen in the form. */
const reviews: Choices = (rest, { openId }, commands) => {
  const instructions = rest.trim();
  if (openId === null || instructions === '') return [];
  const run = () => void commands.review(openId, { type: 'custom', instructions });
  return [{ key: 'review-own', name: en.slash.reviewThus(instructions), hint: '', run }];
};

const formats: Choices = (rest, { openId }, commands) => {
  if (openId === null) return [];
  return pick(rest, FORMATS, (format) => ({
    key: `export-${format}`,
    name: en.exports.formats[format].name,
    hint: en.exports.formats[format].hint,
    run: () => void commands.exportConversation(openId, format),
  }));
};

function pick<T>(rest: string, all: readonly T[], toItem: (one: T) => SlashItem): readonly SlashItem[] {
  const wanted = rest.trim().toLowerCase();
  return all.map(toItem).filter((item) => `${item.key} ${item.name}`.toLowerCase().includes(wanted));
}

/** What the palette offers: acts on this conversation, acts on the page, and every conversation by name. */
import { THEMES } from '../../contract/page-names.ts';
import { FORMATS } from '../../core/export/render-formats.ts';
import { keysOf } from '../../core/page/key-bindings.ts';
import { nameOf, nextWaiting } from '../conversations/group-conversations.ts';
import { MIN_TWO_PANES } from '../drawer/drawer-width.ts';
import { offeredPanels } from '../drawer/panels.tsx';
import type { Commands } from '../state/commands.ts';
import { fontSizeWithin } from '../state/device.ts';
import type { AppState } from '../state/store.ts';
import { TERMINAL_PANEL } from '../state/terminal-commands.ts';
import { en } from '../strings/en.ts';
import { EN_ATTEMPTS } from '../strings/en-attempts.ts';
import { EN_FINISH } from '../strings/en-finish.ts';
import { EN_PANES } from '../strings/en-panes.ts';
import { EN_SETTINGS } from '../strings/en-settings.ts';
import { projectName } from '../ui/format.ts';

export interface PaletteItem {
  readonly key: string;
  readonly label: string;
  readonly hint: string;
  readonly run: () => void;
  /** Found only by a search with this word, or its beginning. */
  readonly onlyFor?: string;
}

export function paletteItems(state: AppState, commands: Commands): readonly PaletteItem[] {
  return [
    ...conversationActs(state, commands),
    ...pageActs(state, commands),
    ...conversations(state, commands),
    ...besides(state, commands),
  ];
}

const act = (key: string, label: string, run: () => void, hint = ''): PaletteItem => ({ key, label, hint, run });

function conversationActs(state: AppState, commands: Commands): readonly PaletteItem[] {
  const { openId, meta, view } = state;
  if (openId === null || meta === null) return [];
  const thread = meta.thread_id;
  return [
    ...(view.live.activity.state === 'idle'
      ? []
      : [act('stop', en.palette.stop, () => void commands.interrupt(openId), 'Esc Esc')]),
    act('find', en.palette.find, () => commands.setFinding(true), keysOf('find', state.page.keys)),
    ...terminalActs(state, commands),
    ...suggestedActs(),
    act('rename', en.palette.rename, () => commands.show('rename')),
    act('details', en.palette.details, () => commands.show('details')),
    act('end', en.palette.toEnd, () => commands.setFollow('pinned'), keysOf('end', state.page.keys)),
    act('markdown', en.palette.markdown, () => void commands.patch(openId, { markdown: !meta.markdown })),
    act('review', en.palette.review, () => commands.show('review')),
    ...(state.branches.has(openId) ? [act('finish', `${EN_FINISH.title}…`, () => commands.show('finish'))] : []),
    ...(meta.attempt === null ? [] : [act('attempts', EN_ATTEMPTS.title, () => commands.show('attempts'))]),
    ...(thread === null
      ? []
      : [
          act('compact', en.palette.compact, () => void commands.compact(openId)),
          act('fork', en.palette.fork, () => void commands.fork(openId)),
          act('thread', en.palette.copyThread, () => void navigator.clipboard.writeText(thread)),
        ]),
    ...FORMATS.map((format) =>
      act(
        `export-${format}`,
        en.palette.export(en.exports.formats[format].name),
        () => void commands.exportConversation(openId, format),
      ),
    ),
    act('archive', en.palette.archive, () => void commands.setArchived(openId, true)),
    act('delete', en.palette.delete, () => void commands.remove(openId)),
  ];
}

/** What the sender of the event in the drawer suggests: the palette presses the same buttons, so nothing more can happen. */
function suggestedActs(): readonly PaletteItem[] {
  return [...document.querySelectorAll<HTMLElement>('[data-suggested] > button')].map((button, at) =>
    act(
      `suggested-${at}`,
      en.palette.suggested(button.firstChild?.textContent ?? ''),
      () => button.click(),
      `${at + 1}`,
    ),
  );
}

function terminalActs({ device, page, isShellMode }: AppState, commands: Commands): readonly PaletteItem[] {
  const grow = (by: number) => commands.setDevice({ terminalFontSize: fontSizeWithin(device.terminalFontSize + by) });
  return [
    act('shell-mode', en.palette.shellMode, () => commands.setShellMode(!isShellMode), keysOf('shell_mode', page.keys)),
    ...(device.drawer !== null && [device.drawer, device.drawerBelow].includes(TERMINAL_PANEL)
      ? [
          act('larger-text', en.palette.largerText, () => grow(1)),
          act('smaller-text', en.palette.smallerText, () => grow(-1)),
          act('spoken-terminal', en.palette.spokenTerminal, () =>
            commands.setDevice({ isTerminalSpoken: !device.isTerminalSpoken }),
          ),
        ]
      : []),
  ];
}

function pageActs({ device, page, openId, list, shownFile }: AppState, commands: Commands): readonly PaletteItem[] {
  const waiting = nextWaiting(list.values(), openId);
  return [
    ...(waiting === null
      ? []
      : [act('waiting', EN_SETTINGS.acts.waiting, () => commands.go(waiting), keysOf('waiting', page.keys))]),
    act('new', en.palette.newConversation, () => commands.startNew(), keysOf('new', page.keys)),
    act(
      'sidebar',
      en.palette.sidebar,
      () => commands.setDevice({ isSidebarShown: !device.isSidebarShown }),
      keysOf('sidebar', page.keys),
    ),
    ...offeredPanels({ openId, shownFile }).map((panel) =>
      act(`panel-${panel.id}`, en.drawer.open(panel.name), () => commands.setDevice({ drawer: panel.id })),
    ),
    act('wide', en.palette.wide, () => commands.setDevice({ isWide: !device.isWide })),
    act('account', en.palette.account, () => commands.show('account')),
    act('settings', en.palette.settings, () => commands.show('settings'), keysOf('settings', page.keys)),
    act('shortcuts', en.palette.shortcuts, () => commands.show('shortcuts'), keysOf('shortcuts', page.keys)),
    ...THEMES.map((theme) =>
      act(
        `theme-${theme}`,
        en.palette.theme(EN_SETTINGS.general.themes[theme]),
        () => void commands.setPage({ theme }),
      ),
    ),
  ];
}

function conversations({ list, openId }: AppState, commands: Commands): readonly PaletteItem[] {
  return [...list.values()]
    .filter((row) => row.id !== openId && !row.archived)
    .sort((a, b) => b.active_at.localeCompare(a.active_at))
    .map((row) => act(row.id, nameOf(row) ?? en.sidebar.untitled, () => commands.go(row.id), projectName(row.cwd)));
}

/** Only where there is room for two. */
function besides(state: AppState, commands: Commands): readonly PaletteItem[] {
  if (state.openId === null || innerWidth < MIN_TWO_PANES) return [];
  const others = conversations(state, commands);
  return [
    ...(state.beside === null
      ? []
      : [act('beside-close', EN_PANES.close, () => commands.setBeside(null), keysOf('close_beside', state.page.keys))]),
    // Each conversation once, unless the second way to open it is asked for.
    ...others.map(({ key, label, hint }) => ({
      ...act(`beside-${key}`, EN_PANES.open(label), () => commands.setBeside(key), hint),
      onlyFor: 'beside',
    })),
  ];
}

/** Every word must occur; a match at a word's beginning counts more. Keeps the order of equals. */
export function matchItems<T extends Pick<PaletteItem, 'label' | 'hint' | 'onlyFor'>>(
  items: readonly T[],
  query: string,
): readonly T[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const asked = items.filter(
    ({ onlyFor }) => onlyFor === undefined || words.some((word) => word.length > 1 && onlyFor.startsWith(word)),
  );
  if (words.length === 0) return asked;
  return asked
    .map((item) => ({ item, score: scoreOf(`${item.label} ${item.hint}`.toLowerCase(), words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}

function scoreOf(text: string, words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    const at = text.indexOf(word);
    if (at < 0) return 0;
    score += at === 0 ? 3 : text[at - 1] === ' ' ? 2 : 1;
  }
  return score;
}

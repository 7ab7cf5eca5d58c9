/** Which parts of the header stay in it and which go into its menu, by their measured widths. */

export type HeaderPart =
  | 'model'
  | 'effort'
  | 'mode'
  | 'sandbox'
  | 'cwd'
  | 'context'
  | 'markdown'
  | 'follow'
  | 'details'
  | 'panels'
  | 'palette';

/** What leaves the header first is there by key or in the menu just as well; what Codex may do leaves last. */
const COLLAPSE_ORDER: readonly HeaderPart[] = [
  'markdown',
  'palette',
  'sandbox',
  'cwd',
  'panels',
  'effort',
  'follow',
  'context',
  'model',
  'details',
  'mode',
];

/** These have a shorter form in the header and no entry in the menu. */
const SHORTENED: ReadonlySet<HeaderPart> = new Set(['sandbox', 'panels']);

export interface HeaderWidths {
  /** Of the header without its padding. */
  readonly available: number;
  /** Of what is always there: the button of the sidebar, the lamp. */
  readonly fixed: number;
  /** Of the whole title. */
  readonly title: number;
  readonly parts: Readonly<Partial<Record<HeaderPart, number>>>;
  /** Of the menu's button, of the one button that stands for all panels, and of the network's sign that stands for the sandbox. */
  readonly menu: number;
  readonly oneButton: number;
  readonly sign: number;
}

/** A longer title is cut: the start of a title tells conversations apart, and this is about 30 characters of it. */
const TITLE_ROOM = 240;
/** Where little else is left the title gives way too, to about 15 characters, before the model and what Codex may do leave. */
const NARROW_TITLE_ROOM = 120;

export function collapseHeader(widths: HeaderWidths): ReadonlySet<HeaderPart> {
  const collapsed = new Set<HeaderPart>();
  let title = TITLE_ROOM;
  for (const part of COLLAPSE_ORDER) {
    if (part === 'model') title = NARROW_TITLE_ROOM;
    if (widthWith(widths, collapsed, title) <= widths.available) break;
    if ((widths.parts[part] ?? 0) > 0) collapsed.add(part);
  }
  return collapsed;
}

export function hasMenu(collapsed: ReadonlySet<HeaderPart>): boolean {
  return [...collapsed].some((part) => !SHORTENED.has(part));
}

function widthWith(widths: HeaderWidths, collapsed: ReadonlySet<HeaderPart>, titleRoom: number): number {
  const { fixed, title, parts, menu, oneButton, sign } = widths;
  let width = fixed + Math.min(title, titleRoom) + (hasMenu(collapsed) ? menu : 0);
  if (collapsed.has('panels')) width += oneButton;
  if (collapsed.has('sandbox') && !collapsed.has('mode')) width += sign;
  for (const part of COLLAPSE_ORDER) {
    const isShown = !collapsed.has(part) && !(part === 'sandbox' && collapsed.has('mode'));
    if (isShown) width += parts[part] ?? 0;
  }
  return width;
}

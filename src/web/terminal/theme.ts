/** The page's color tokens as xterm's theme. The stylesheet stays the only place that names a color. */
import type { ITheme } from '@xterm/xterm';

const ANSI = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
  'brightBlack',
  'brightRed',
  'brightGreen',
  'brightYellow',
  'brightBlue',
  'brightMagenta',
  'brightCyan',
  'brightWhite',
] as const;

export interface FoundColors {
  readonly matchBackground: string;
  readonly matchOverviewRuler: string;
  readonly activeMatchBackground: string;
  readonly activeMatchColorOverviewRuler: string;
}

/** Those of the search, which takes no other spelling than #rrggbb. */
export function readFoundColors(host: HTMLElement): FoundColors {
  return worn(host, (token) => ({
    matchBackground: hexOf(token('--found')),
    matchOverviewRuler: hexOf(token('--caution')),
    activeMatchBackground: hexOf(token('--found-current')),
    activeMatchColorOverviewRuler: hexOf(token('--accent')),
  }));
}

export function readTheme(host: HTMLElement): ITheme {
  return worn(host, (token) => ({
    background: token('--terminal'),
    foreground: token('--terminal-ink'),
    cursor: token('--terminal-ink'),
    cursorAccent: token('--terminal'),
    selectionBackground: token('--terminal-selection'),
    scrollbarSliderBackground: token('--line-strong'),
    scrollbarSliderHoverBackground: token('--ink-3'),
    scrollbarSliderActiveBackground: token('--ink-3'),
    ...Object.fromEntries(ANSI.map((name, at) => [name, token(`--ansi-${at}`)])),
  }));
}

/** A token may depend on light and dark, so it is read from an element that wears it. */
function worn<T>(host: HTMLElement, read: (token: (name: string) => string) => T): T {
  const probe = host.ownerDocument.createElement('span');
  probe.hidden = true;
  host.append(probe);
  const value = read((name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return value;
}

/** `rgb(1, 2, 3)` as `#010203`. */
function hexOf(color: string): string {
  const parts = color.match(/\d+/g)?.slice(0, 3) ?? [];
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}

export function readFont(host: HTMLElement): string {
  return getComputedStyle(host).getPropertyValue('--font-code').trim();
}

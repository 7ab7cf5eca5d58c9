/** Names that the settings of the page are made of. Apart from their schemas, so that the page can use them without zod. */

export const THEMES = ['system', 'light', 'dark', 'contrast_light', 'contrast_dark'] as const;

export const DENSITIES = ['comfortable', 'compact'] as const;

/** Colors a person may replace, named as in `tokens.css` without the two dashes. */
export const COLOR_TOKENS = [
  'ground',
  'surface',
  'surface-2',
  'surface-3',
  'line',
  'line-strong',
  'ink',
  'ink-2',
  'ink-3',
  'accent',
  'accent-fill',
  'accent-soft',
  'go',
  'caution',
  'stop',
  'info',
] as const;
export type ColorToken = (typeof COLOR_TOKENS)[number];

/** What a key of the page can do, in the order of the list. */
export const ACT_IDS = [
  'palette',
  'new',
  'find',
  'sidebar',
  'previous',
  'next',
  'waiting',
  'previous_prompt',
  'next_prompt',
  'box',
  'box_too',
  'end',
  'terminal',
  'shell_mode',
  'beside',
  'close_beside',
  'settings',
  'shortcuts',
] as const;
export type ActId = (typeof ACT_IDS)[number];

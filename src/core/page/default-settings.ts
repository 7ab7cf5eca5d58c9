/** The settings of a page that nobody has changed. */
import type { PageSettings } from '../../contract/page-settings.ts';

export const DEFAULT_PAGE: PageSettings = {
  theme: 'system',
  density: 'comfortable',
  colors: { light: {}, dark: {} },
  keys: {},
  notices: { asks: true, ends: true, events: true },
};

/** Puts theme, density and colors on the page. The last known settings are cached, so that `first-look.js` can do so before the first paint. */
import { COLOR_TOKENS } from '../../contract/page-names.ts';
import type { PageSettings } from '../../contract/page-settings.ts';
import { DEFAULT_PAGE } from '../../core/page/default-settings.ts';
import { type Device, readJson, write } from './device.ts';

/** Also read by `public/first-look.js`. */
const CACHE_KEY = 'signalbox.page';

export function readCachedPage(): PageSettings {
  return { ...DEFAULT_PAGE, ...readJson<Partial<PageSettings>>(CACHE_KEY) };
}

interface Look {
  readonly page: PageSettings;
  readonly device: Device;
}

/** What is needed of the page's store. */
interface LookStore {
  getState(): Look;
  subscribe(listener: (state: Look, before: Look) => void): void;
}

export function followLook(store: LookStore): void {
  const media = [matchMedia('(prefers-color-scheme: dark)'), matchMedia('(prefers-contrast: more)')] as const;
  const [dark, contrast] = media;
  const apply = () => {
    const { page, device } = store.getState();
    const isSystem = page.theme === 'system';
    const scheme = isSystem ? null : /dark$/.test(page.theme) ? 'dark' : 'light';
    const isContrast = page.theme.startsWith('contrast') || (isSystem && contrast.matches);
    const root = document.documentElement;
    mark(root, 'theme', scheme);
    mark(root, 'density', page.density === 'compact' ? 'compact' : null);
    mark(root, 'contrast', isContrast ? 'more' : null);
    root.toggleAttribute('data-wide', device.isWide);
    const colors: PageSettings['colors']['light'] = isContrast
      ? {}
      : page.colors[scheme ?? (dark.matches ? 'dark' : 'light')];
    // An empty value takes a color away that was set before.
    for (const token of COLOR_TOKENS) root.style.setProperty(`--${token}`, colors[token] ?? '');
  };
  for (const one of media) one.addEventListener('change', apply);
  store.subscribe((state, before) => {
    if (state.page === before.page && state.device.isWide === before.device.isWide) return;
    if (state.page !== before.page) write(CACHE_KEY, JSON.stringify(state.page));
    apply();
  });
  apply();
}

function mark(root: HTMLElement, name: 'theme' | 'density' | 'contrast', value: string | null): void {
  if (value === null) delete root.dataset[name];
  else root.dataset[name] = value;
}

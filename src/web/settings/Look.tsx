/** Theme, density and colors: the same in every browser. */
import { useEffect, useState } from 'react';
import { COLOR_TOKENS, type ColorToken, DENSITIES, THEMES } from '../../contract/page-names.ts';
import { contrastOf } from '../../core/page/contrast.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { EN_SETTINGS } from '../strings/en-settings.ts';
import { Button } from '../ui/Button.tsx';
import { Disclosure } from '../ui/Disclosure.tsx';
import styles from './Settings.module.css';

/** What small text needs on its ground, by WCAG. */
const MIN_CONTRAST = 4.5;
const TEXTS: readonly ColorToken[] = ['ink', 'ink-2', 'ink-3', 'accent', 'go', 'caution', 'stop', 'info'];

export function Look() {
  const page = useApp((state) => state.page);
  const { setPage } = useCommands();
  return (
    <>
      <p className={styles.quiet}>{EN_SETTINGS.everywhere}</p>
      <fieldset className={styles.themes}>
        <legend className={styles.legend}>{EN_SETTINGS.general.theme}</legend>
        {THEMES.map((theme) => (
          <label key={theme} className={styles.theme}>
            <input type="radio" name="theme" checked={page.theme === theme} onChange={() => void setPage({ theme })} />
            {EN_SETTINGS.general.themes[theme]}
          </label>
        ))}
      </fieldset>
      <fieldset className={styles.themes}>
        <legend className={styles.legend}>{EN_SETTINGS.density}</legend>
        {DENSITIES.map((density) => (
          <label key={density} className={styles.theme}>
            <input
              type="radio"
              name="density"
              checked={page.density === density}
              onChange={() => void setPage({ density })}
            />
            {EN_SETTINGS.densities[density]}
          </label>
        ))}
      </fieldset>
      <Colors />
    </>
  );
}

function Colors() {
  const [isOpen, setOpen] = useState(false);
  const { colors } = useApp((state) => state.page);
  const changed = Object.keys(colors.light).length + Object.keys(colors.dark).length;
  return (
    <Disclosure isOpen={isOpen} onToggle={() => setOpen(!isOpen)} head={EN_SETTINGS.colors.title(changed)} edge="none">
      <ColorList />
    </Disclosure>
  );
}

/** Those of the theme that is shown: what is changed is seen. */
function ColorList() {
  const page = useApp((state) => state.page);
  const { setPage } = useCommands();
  const shown = useShownColors(page);
  if (shown === null) return null;
  const { scheme, values } = shown;
  if (scheme === 'contrast') return <p className={styles.quiet}>{EN_SETTINGS.colors.noContrast}</p>;
  const own = page.colors[scheme];
  const set = (changed: Partial<Record<ColorToken, string>>) =>
    void setPage({ colors: { ...page.colors, [scheme]: changed } });
  const without = (token: ColorToken) =>
    set(Object.fromEntries(Object.entries(own).filter(([name]) => name !== token)));
  return (
    <div className={styles.colors}>
      <p className={styles.quiet}>
        {EN_SETTINGS.colors.ofTheme[scheme]} {EN_SETTINGS.colors.other}
      </p>
      <ul>
        {COLOR_TOKENS.map((token) => {
          const contrast = TEXTS.includes(token) ? contrastOf(values[token], values.surface) : MIN_CONTRAST;
          return (
            <li key={token} className={styles.color}>
              <span className={styles.line}>
                <ColorInput
                  name={EN_SETTINGS.colors.names[token]}
                  value={values[token]}
                  onChange={(color) => set({ ...own, [token]: color })}
                />
                {EN_SETTINGS.colors.names[token]}
              </span>
              {own[token] !== undefined && (
                <Button
                  tone="quiet"
                  aria-label={EN_SETTINGS.colors.reset(EN_SETTINGS.colors.names[token])}
                  onClick={() => without(token)}
                >
                  {EN_SETTINGS.keys.reset}
                </Button>
              )}
              {contrast < MIN_CONTRAST && (
                <span className={styles.problem}>{EN_SETTINGS.colors.weak(contrast.toFixed(1))}</span>
              )}
            </li>
          );
        })}
      </ul>
      {Object.keys(own).length > 0 && <Button onClick={() => set({})}>{EN_SETTINGS.colors.resetAll}</Button>}
    </div>
  );
}

interface ColorInputProps {
  readonly name: string;
  readonly value: string;
  readonly onChange: (color: string) => void;
}

/** The browser tells each color that is passed on the way through its picker: stored is the one it ends at. */
function ColorInput({ name, value, onChange }: ColorInputProps) {
  const [input, setInput] = useState<HTMLInputElement | null>(null);
  useEffect(() => {
    if (input === null) return;
    // React's own onChange is the event `input`.
    const onPicked = () => onChange(input.value);
    input.addEventListener('change', onPicked);
    return () => input.removeEventListener('change', onPicked);
  }, [input, onChange]);
  return <input key={value} ref={setInput} type="color" aria-label={name} defaultValue={value} />;
}

interface ShownColors {
  readonly scheme: 'light' | 'dark' | 'contrast';
  readonly values: Readonly<Record<ColorToken, string>>;
}

/** Read from the page after it has put on its look. */
function useShownColors(page: unknown): ShownColors | null {
  const [shown, setShown] = useState<ShownColors | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the settings change
  useEffect(() => {
    const read = () => setShown(readColors());
    read();
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', read);
    return () => scheme.removeEventListener('change', read);
  }, [page]);
  return shown;
}

function readColors(): ShownColors {
  const root = document.documentElement;
  const probe = document.body.appendChild(document.createElement('span'));
  probe.hidden = true;
  const colorOf = (token: ColorToken) => {
    probe.style.color = `var(--${token})`;
    const parts = getComputedStyle(probe).color.match(/\d+/g)?.slice(0, 3) ?? [];
    return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
  };
  const values = Object.fromEntries(COLOR_TOKENS.map((token) => [token, colorOf(token)]));
  probe.remove();
  const isDark =
    root.dataset.theme === undefined
      ? matchMedia('(prefers-color-scheme: dark)').matches
      : root.dataset.theme === 'dark';
  const scheme = root.dataset.contrast !== undefined ? 'contrast' : isDark ? 'dark' : 'light';
  return { scheme, values: values as ShownColors['values'] };
}

/** The cached look, before the first paint. See state/look.ts. */
try {
  const page = JSON.parse(localStorage.getItem('signalbox.page'));
  const { dataset, style } = document.documentElement;
  const theme = page?.theme ?? 'system';
  const isSystem = theme === 'system';
  const isContrast = isSystem ? matchMedia('(prefers-contrast: more)').matches : theme.startsWith('contrast');
  const isDark = isSystem ? matchMedia('(prefers-color-scheme: dark)').matches : theme.endsWith('dark');
  const scheme = isDark ? 'dark' : 'light';
  if (!isSystem) dataset.theme = scheme;
  if (isContrast) dataset.contrast = 'more';
  if (page?.density === 'compact') dataset.density = 'compact';
  const colors = isContrast ? {} : page.colors[scheme];
  for (const token in colors) style.setProperty(`--${token}`, colors[token]);
} catch {
  // Nothing is cached.
}

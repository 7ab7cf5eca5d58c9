/** Words of the diffs, which are loaded with the first one. */
export const EN_CHANGES = {
  changed: (count: number) => `Changed ${count} files`,
  expandAll: 'Expand all',
  foldAll: 'Fold all',
  open: 'Open',
  openFile: (path: string) => `Open ${path}`,
} as const;

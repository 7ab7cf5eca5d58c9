/** Words of the trash in the list of conversations. */
export const EN_TRASH = {
  title: 'Deleted',
  note: 'Each is kept for a day.',
  restore: 'Restore',
  restoreOne: (name: string) => `Restore ${name}`,
};

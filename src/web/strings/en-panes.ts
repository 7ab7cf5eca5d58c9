/** Words of two conversations side by side. Loaded with the second one. */
export const EN_PANES = {
  label: (name: string) => `Beside: ${name}`,
  resize: 'Width of the conversation beside',
  close: 'Close the conversation beside',
  untitled: 'New conversation',
  open: (name: string) => `Open beside: ${name}`,
} as const;

/** Words of the terminal that the transcript needs. Part of `en`. */

export const EN_TERMINAL = {
  terminal: {
    label: 'Terminal',
    busy: 'A command runs in this terminal. Wait for it, or end it.',
    copyOutput: 'Copy output',
    rerun: 'Run again',
    ask: 'Ask about this',
    showAll: 'Show all that was kept',
  },
  shellMode: {
    label: 'Shell command',
    placeholder: 'Run a command in the terminal',
    on: 'Shell mode: what you type runs in the terminal',
    turnOn: 'Shell mode',
    turnOnHint: 'Shell mode: type commands (Ctrl Shift `)',
    turnOff: 'Leave shell mode',
    hint: 'Enter runs · ↑ history · Ctrl R searches it · → or Tab completes · Esc back to messages',
  },
};

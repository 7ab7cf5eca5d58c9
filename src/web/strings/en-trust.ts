/** Words about workspace trust. */
export const EN_TRUST = {
  trust: {
    title: 'Project configuration',
    off: 'This project brings a configuration of its own for Codex. It is off until you have looked at it.',
    changed:
      'The configuration of this project has changed since you trusted it. It is off until you have looked at it.',
    look: 'Look at it',
    intro:
      'Codex would load the following for every conversation in this directory. MCP servers and hooks run with your rights, outside the sandbox.',
    scripts:
      'Only what lies in the .codex folder is checked. Programs it starts from elsewhere may change without a question.',
    what: 'What it would run or change',
    scroll: 'Read to the end before you trust it.',
    trust: 'Trust',
    keepOff: 'Keep it off',
    trusted: 'Trusted. It is loaded with the next message.',
    keptOff: 'It stays off. You can decide anew in the settings.',
    stale: 'It has changed while you looked: this is what it says now.',
    unknown: 'The project configuration could not be read',
    settings: 'Project configurations you decided about',
    none: 'None yet. A project with a .codex folder is asked about when you open a conversation there.',
    states: { trusted: 'trusted', kept_off: 'kept off' },
    revoke: 'Forget',
    revokeOf: (path: string) => `Forget the decision about ${path}`,
    revoked: 'Forgotten. The configuration is off, and you are asked again.',
  },
};

/** Words about new browsers and the second confirmation. Part of `en`. */
export const EN_ACCESS = {
  confirm: {
    password: 'Your Signalbox password',
    hint: 'Only go on if you chose this yourself just now.',
  },
  newLogin: {
    title: 'Allow this browser',
    text: 'Signalbox is open in another browser. It shows this code and asks whether to let this one in.',
    code: 'Code of this login',
    closed: 'Signalbox was open in another browser when this link was opened, and that browser is closed now.',
    outOfReach: 'The other browser is out of reach? Run this in a terminal of your own:',
    again: 'For a link that works at once, run:',
    allow: (code: string) => `signalbox logins allow ${code}`,
    opensSoon: 'Allowed at a terminal. It opens within a minute, unless the other browser refuses.',
    refused: 'The other browser refused this login. If that was a mistake, open a fresh link and allow it there:',
    timedOut:
      'Nobody allowed this login within five minutes. Open a fresh link, and allow it in the other browser or with “signalbox logins allow”:',
    replaced: 'This link was opened a second time, and only the newest page counts. For a fresh login link run:',
    asks: 'A new browser wants to log in',
    compare: 'Allow it only if that browser is yours and shows this code.',
    from: (browser: string, maker: string) => `${browser}, by a link ${maker}`,
    madeBy: {
      terminal: 'from a terminal of yours',
      program: 'that a program asked for',
      server: 'from the start of the server',
    },
    allowedElsewhere: 'It was allowed at a terminal and gets in within a minute. Refuse it if that was not you.',
    letIn: 'Allow',
    refuse: 'Refuse',
    waiting: 'a new browser wants to log in',
  },
} as const;

/** The one page anybody may see: how to get a login link. No script, so that it needs none. */

export const LOGIN_STYLE_PATH = '/login.css';

export const LOGIN_STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 34rem; margin: 20vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.25rem; }
code { padding: 0.1em 0.35em; border-radius: 4px; background: color-mix(in srgb, currentColor 12%, transparent); }
`;

/** `problem` is one of our own sentences, never what somebody sent. */
export function renderLoginPage(problem?: string): string {
  const notice = problem === undefined ? '' : `<p role="alert"><strong>${problem}</strong></p>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Log in to Signalbox</title>
<link rel="stylesheet" href="${LOGIN_STYLE_PATH}">
</head>
<body>
<main>
<h1>Log in to Signalbox</h1>
${notice}<p>Run <code>signalbox open</code> in a terminal on this machine. It opens this page with a fresh link, which works once.</p>
<p>Already logged in, and came here by a link on another page? <a href="/">Open Signalbox</a></p>
</main>
</body>
</html>
`;
}

/** Comes back by itself, as a visit of our own. */
export function renderRetryPage(): string {
  return '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/"><title>Signalbox</title><a href="/">Go on</a>';
}

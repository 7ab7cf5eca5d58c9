/** The text of the systemd user unit. Pure: paths in, text out. */

/** Tells our unit from one that somebody wrote by hand, which is not ours to replace. */
const MARK = '# Written by `signalbox service install`; `signalbox service uninstall` removes it.';

export interface UnitWish {
  readonly node: string;
  readonly command: string;
  readonly home: string;
  /** Codex runs the person's programs: without their PATH it would not find them. */
  readonly environment: Readonly<Record<string, string>>;
}

export function renderUnit({ node, command, home, environment }: UnitWish): string {
  const words = [node, command, 'serve', '--no-open', '--home', home].map(word);
  const variables = Object.entries(environment).map(([name, value]) => `Environment=${setting(`${name}=${value}`)}`);
  return `${MARK}
[Unit]
Description=Signalbox, the Codex agent server
After=network.target

[Service]
Type=simple
ExecStart=${words.join(' ')}
${variables.join('\n')}
Restart=on-failure
RestartSec=2
# 2: a wrong setting; 75: another server holds the home. Neither goes away by trying again.
RestartPreventExitStatus=2 75
# Only the server itself: Codex and the terminals are detached, and a restart must not end a running turn.
KillMode=process
TimeoutStopSec=20

[Install]
WantedBy=default.target
`;
}

export const isOurs = (unit: string): boolean => unit.startsWith(MARK);

/** systemd reads `%` as a specifier and `"` and `\` as its own; a line end would begin another setting. */
function setting(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%');
  return `"${escaped.replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"`;
}

/** In a command line `$` begins a variable as well. */
const word = (text: string): string => setting(text).replaceAll('$', '$$$$');

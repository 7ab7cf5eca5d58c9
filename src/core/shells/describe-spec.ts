/** A shell of a shellspec → what a person is shown before it is started: everything that would run, as it is written. Pure. */
import type { ProjectShell, ShellSpec } from '../../contract/shellspec.ts';
import { joinWords } from '../text/shell-words.ts';

/** As `render-spec.ts` reads them: `$${` is no placeholder. */
const PLACE = /\$\$\{|\$\{([^{}]*)\}/g;
const VALUE = /^(?:ctx:)?([A-Za-z_][A-Za-z0-9_]*)$/;

/** `cwd` is what `${CWD}` will be. Every other placeholder stays, since its value may be a secret of the server's environment. */
export function describeSpec(name: string, spec: ShellSpec, cwd: string): ProjectShell {
  const show = (text: string) => withDirectory(text, cwd);
  const words = (command: ShellSpec['command']) =>
    typeof command === 'string' ? show(command) : joinWords(command.map(show));
  const { health, ui } = spec;
  return {
    name,
    title: ui.title === undefined ? name : show(ui.title),
    description: ui.description === undefined ? null : show(ui.description),
    backend: spec.backend,
    command: words(spec.command),
    cwd: show(spec.cwd),
    env: Object.entries(spec.env).map(([key, value]) => ({ name: key, value: show(value) })),
    health_command: health?.check === 'command' ? words(health.command) : null,
    restart: spec.restart.policy,
    missing: [...missingOf(JSON.stringify(spec))],
  };
}

function withDirectory(text: string, cwd: string): string {
  return text.replace(PLACE, (whole, inner: string | undefined) =>
    inner === 'CWD' || inner === 'ctx:CWD' || inner?.startsWith('CWD:-') === true ? cwd : whole,
  );
}

function missingOf(text: string): ReadonlySet<string> {
  const names = [...text.matchAll(PLACE)].flatMap(([, inner = '']) => VALUE.exec(inner)?.[1] ?? []);
  return new Set(names.filter((one) => one !== 'CWD' && one !== 'free_port'));
}

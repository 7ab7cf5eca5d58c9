/** Fills a spec in: `${CWD}`, `${ctx:NAME}`, `${env:NAME}`, `${free_port}`. `$${` is a plain `${`; `${env:NAME:-text}` has a fallback. */
import type { Rendered, ShellSpec } from '../../contract/shellspec.ts';

export interface Filling {
  /** `CWD` among them. A list stands for several words of a command. */
  readonly ctx: Readonly<Record<string, string | readonly string[]>>;
  env(name: string): string | undefined;
  /** The same one for the whole shell, so that its command and its health check agree. */
  readonly freePort: number | null;
}

/** Where in the spec, and what is wrong there. */
export interface SpecProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const PLACE = /\$\$\{|\$\{([^{}]*)\}|\$\{/g;
const NAMED = /^(?:(ctx|env):)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;
const FREE_PORT = 'free_port';

type Path = readonly (string | number)[];

class Unfilled extends Error {
  readonly path: Path;
  constructor(path: Path, message: string) {
    super(message);
    this.path = path;
  }
}

export function wantsFreePort(spec: ShellSpec): boolean {
  return JSON.stringify(spec).includes(`\${${FREE_PORT}}`);
}

export function renderSpec(
  spec: ShellSpec,
  filling: Filling,
): { readonly rendered: Rendered } | { readonly problem: SpecProblem } {
  try {
    const text = (value: string, ...path: Path) => fillText(value, path, filling);
    return {
      rendered: {
        backend: spec.backend,
        cwd: text(spec.cwd, 'cwd'),
        command: renderCommand(spec.command, ['command'], filling),
        env: mapValues(spec.env, (value, name) => text(value, 'env', name)),
        labels: mapValues(spec.labels, (value, name) => text(value, 'labels', name)),
        subgroups: [...spec.subgroups],
        ui: {
          ...(spec.ui.title !== undefined && { title: text(spec.ui.title, 'ui', 'title') }),
          ...(spec.ui.description !== undefined && { description: text(spec.ui.description, 'ui', 'description') }),
        },
        restart: spec.restart,
        health: renderHealth(spec.health, filling),
        stop: spec.stop,
      },
    };
  } catch (error) {
    if (error instanceof Unfilled) return { problem: { path: error.path, message: error.message } };
    throw error;
  }
}

function renderHealth(health: ShellSpec['health'], filling: Filling): Rendered['health'] {
  if (health === undefined) return null;
  if (health.check === 'command')
    return { ...health, command: renderCommand(health.command, ['health', 'command'], filling) };
  if (health.check === 'process') return health;
  const port = Number(
    typeof health.port === 'number' ? health.port : fillText(health.port, ['health', 'port'], filling),
  );
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Unfilled(['health', 'port'], `${JSON.stringify(health.port)} is not a port: expected 1 to 65535`);
  }
  return { ...health, port };
}

function renderCommand(command: ShellSpec['command'], path: Path, filling: Filling): string[] {
  if (typeof command === 'string') return ['/bin/sh', '-c', fillText(command, path, filling)];
  const words = command.flatMap((word, at) => wordsOf(word, [...path, at], filling));
  if (words[0] === undefined || words[0] === '') throw new Unfilled(path, 'the command has no program');
  return words;
}

/** A word that is one placeholder and stands for a list becomes its words. */
function wordsOf(word: string, path: Path, filling: Filling): readonly string[] {
  const name = /^\$\{(?:ctx:)?([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(word)?.[1];
  const value = name !== undefined && Object.hasOwn(filling.ctx, name) ? filling.ctx[name] : undefined;
  return typeof value === 'object' ? value : [fillText(word, path, filling)];
}

function fillText(text: string, path: Path, filling: Filling): string {
  return text.replace(PLACE, (whole, inner: string | undefined) => {
    if (whole === '$' + '${') return '$' + '{';
    if (inner === undefined)
      throw new Unfilled(path, 'a placeholder is not closed: write `$' + '${` for a plain `$' + '{`');
    return lookUp(inner, path, filling);
  });
}

function lookUp(inner: string, path: Path, { ctx, env, freePort }: Filling): string {
  if (inner === FREE_PORT) return String(freePort);
  const [, kind, name = '', fallback] = NAMED.exec(inner) ?? [];
  if (name === '') {
    throw new Unfilled(
      path,
      `\${${inner}} is no placeholder: there are \${CWD}, \${ctx:NAME}, \${env:NAME} and \${free_port}`,
    );
  }
  const found = kind === 'env' ? env(name) : Object.hasOwn(ctx, name) ? ctx[name] : undefined;
  if (typeof found === 'object')
    throw new Unfilled(path, `\${${inner}} is a list: it can only be a whole word of a command`);
  const value = found ?? fallback;
  if (value !== undefined) return value;
  const remedy = kind === 'env' ? `set the variable ${name}` : `give ${name} with --ctx ${name}=VALUE`;
  throw new Unfilled(path, `\${${inner}} has no value: ${remedy}, or write \${${inner}:-a fallback}`);
}

function mapValues(
  record: Readonly<Record<string, string>>,
  fn: (value: string, name: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, fn(value, name)]));
}

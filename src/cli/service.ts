/** `service install|uninstall|status`: the server as a systemd user unit. Without systemd the unit is written, and what to do is said. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Failure, fail, ok, type Result } from '../contract/result.ts';
import { errorCode, writeFileAtomic } from '../node/atomic-file.ts';
import { configHome } from '../node/places.ts';
import { findProgram } from './open-browser.ts';
import { type Output, styled } from './output.ts';
import { isOurs, renderUnit } from './service-unit.ts';

const UNIT = 'signalbox.service';
/** A unit that starts is ready within seconds; a bus that does not answer must not hold the terminal. */
const SYSTEMCTL_TIMEOUT_MS = 30_000;
const EXIT_NOT_RUNNING = 3;

export interface ServiceWorld {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** The file of the command itself. */
  readonly command: string;
}

interface Asked {
  readonly code: number;
  readonly text: string;
}

/** Where systemd looks for the units of a person. */
const unitPath = (env: NodeJS.ProcessEnv): string => join(configHome(env), 'systemd', 'user', UNIT);

export async function installService(
  out: Output,
  world: ServiceWorld,
  options: { readonly start: boolean; readonly force?: boolean },
): Promise<number> {
  const { env, home, command } = world;
  const path = unitPath(env);
  const before = await readUnit(path);
  if (!before.ok) return out.fail(before.error);
  if (before.value !== null && !isOurs(before.value) && options.force !== true)
    return out.fail(foreign(path, 'replaces it with --force'));
  const unit = renderUnit({ node: process.execPath, command, home, environment: kept(env) });
  const written = await writeUnit(path, unit);
  if (!written.ok) return out.fail(written.error);
  const systemctl = createSystemctl(env);
  const steps = [['daemon-reload'], ['enable', UNIT], ...(options.start ? [['restart', UNIT]] : [])];
  const failed = await runAll(systemctl, steps);
  const next = failed === null ? [] : steps.map((step) => `systemctl --user ${step.join(' ')}`);
  const isStarted = failed === null && options.start;
  const warnings = command.includes('/_npx/') ? ['npx may remove this copy: `npm install -g signalbox` stays'] : [];
  if (out.isJson) {
    await out.json({ unit: path, enabled: failed === null, started: isStarted, reason: failed, next, warnings });
    return 0;
  }
  await out.print(path);
  for (const warning of warnings) out.say(styled('yellow', `warning: ${warning}`));
  if (failed === null) {
    out.say(
      options.start ? 'The service runs; ' : 'The service starts with your next login; ',
      'see `signalbox open`.',
    );
    out.say(styled('dim', 'To keep it while you are logged out: loginctl enable-linger'));
  } else {
    out.say(styled('yellow', `The unit is written, but systemd did not take it: ${failed}`));
    for (const line of ['Where it runs:', ...next.map((step) => `  ${step}`)]) out.say(line);
  }
  return 0;
}

export async function uninstallService(out: Output, { env }: ServiceWorld): Promise<number> {
  const path = unitPath(env);
  const before = await readUnit(path);
  if (!before.ok) return out.fail(before.error);
  if (before.value !== null && !isOurs(before.value)) return out.fail(foreign(path, 'leaves it alone'));
  const systemctl = createSystemctl(env);
  let reason: string | null = null;
  if (before.value !== null) {
    reason = await runAll(systemctl, [['disable', '--now', UNIT]]);
    await rm(path, { force: true });
    await runAll(systemctl, [['daemon-reload']]);
  }
  const removed = before.value !== null;
  if (out.isJson) await out.json({ unit: path, removed, reason });
  else out.say(removed ? `removed ${path}` : 'there is no service to remove');
  if (!out.isJson && reason !== null)
    out.say(styled('yellow', `systemd did not stop it (${reason}): \`signalbox stop\` does, if it runs`));
  return 0;
}

/** Exit 0 when it runs and 3 when not, as `systemctl status` has it. */
export async function showService(out: Output, { env }: ServiceWorld): Promise<number> {
  const path = unitPath(env);
  const unit = await readUnit(path);
  if (!unit.ok) return out.fail(unit.error);
  const systemctl = createSystemctl(env);
  const ask = async (...args: readonly string[]): Promise<string> => firstLine((await systemctl(args)).text);
  const isInstalled = unit.value !== null;
  const enabled = isInstalled ? await ask('is-enabled', UNIT) : 'not installed';
  const active = isInstalled ? await ask('is-active', UNIT) : 'not installed';
  if (out.isJson) {
    const ours = unit.value !== null && isOurs(unit.value);
    await out.json({ unit: path, installed: isInstalled, ours, enabled, active });
  } else {
    const rows = { unit: isInstalled ? path : `${path} (not installed)`, enabled, active };
    for (const [name, value] of Object.entries(rows)) await out.print(styled('bold', name.padEnd(9)), value);
    if (!isInstalled) out.say('`signalbox service install` installs it');
  }
  return active === 'active' ? 0 : EXIT_NOT_RUNNING;
}

/** No secret is among them: a unit is a file that backups and others may read. */
function kept(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = ['PATH', 'CODEX_HOME', 'XDG_CONFIG_HOME'];
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}

function foreign(path: string, what: string): Failure {
  return { code: 'conflict', message: `${path} was not written by signalbox, which ${what}`, details: { unit: path } };
}

async function readUnit(path: string): Promise<Result<string | null>> {
  try {
    return ok(await readFile(path, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return ok(null);
    return fail('internal', `${path} cannot be read: ${errorCode(error)}`);
  }
}

async function writeUnit(path: string, unit: string): Promise<Result<null>> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, unit, { mode: 0o644 });
    return ok(null);
  } catch (error) {
    return fail('internal', `${path} cannot be written: ${errorCode(error)}`);
  }
}

type Systemctl = (args: readonly string[]) => Promise<Asked>;

function createSystemctl(env: NodeJS.ProcessEnv): Systemctl {
  const program = findProgram('systemctl', env);
  return (args) =>
    new Promise((resolve) => {
      if (program === null) return resolve({ code: 127, text: 'systemctl is not installed' });
      execFile(
        program,
        ['--user', ...args],
        { env, timeout: SYSTEMCTL_TIMEOUT_MS, killSignal: 'SIGKILL' },
        (error, stdout, stderr) => {
          const text = stdout.trim() || stderr.trim() || (error?.message ?? '');
          resolve({ code: error === null ? 0 : 1, text });
        },
      );
    });
}

/** Null when every step was taken; else what the first that was not said. */
async function runAll(systemctl: Systemctl, steps: readonly (readonly string[])[]): Promise<string | null> {
  for (const step of steps) {
    const { code, text } = await systemctl(step);
    if (code !== 0) return firstLine(text);
  }
  return null;
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

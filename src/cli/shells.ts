/** `shells list|up|down|logs|purge`: thin calls over the client. */
import { resolve } from 'node:path';
import { fail, ok, type Result } from '../contract/result.ts';
import type { ShellView } from '../contract/shellspec.ts';
import { groupShells } from '../core/shells/rows.ts';
import { printableLine } from '../core/text/printable.ts';
import type { Client } from './client.ts';
import { type Output, type Part, type Style, styled } from './output.ts';

const COLORS: Readonly<Record<ShellView['state'], Style>> = {
  starting: 'yellow',
  running: 'green',
  stopping: 'yellow',
  waiting: 'yellow',
  stopped: 'dim',
  exited: 'dim',
  failed: 'red',
  gone: 'red',
};
/** A page of a log as large as the server gives. */
const MAX_BYTES = 1024 * 1024;

export interface ListOptions {
  readonly label?: string;
  readonly group?: string;
}

export async function listShells(out: Output, client: Client, options: ListOptions): Promise<number> {
  const answer = await client.call('listShells', options);
  if (!answer.ok) return out.fail(answer.error);
  const { shells } = answer.value;
  if (out.isJson) await out.json({ shells });
  else {
    for (const group of groupShells(shells)) {
      await out.print(styled('bold', group.name));
      for (const shell of group.shells) await out.print('  ', ...renderShell(shell));
    }
    if (shells.length === 0) out.say('no shells: `signalbox shells up FILE` starts those of a shellspec');
  }
  return 0;
}

export interface UpOptions {
  readonly cwd?: string;
  readonly ctx: readonly string[];
  readonly name?: string;
}

export async function upShells(out: Output, client: Client, words: string, options: UpOptions): Promise<number> {
  const at = words.lastIndexOf('#');
  const file = at < 0 ? words : words.slice(0, at);
  const ctx = parseCtx(options.ctx);
  if (!ctx.ok) return out.fail(ctx.error);
  const answer = await client.call('upShells', {
    file: resolve(file),
    cwd: resolve(options.cwd ?? '.'),
    ctx: ctx.value,
    ...(at >= 0 && { shell: words.slice(at + 1) }),
    ...(options.name !== undefined && { name: options.name }),
  });
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json(answer.value);
  else
    for (const { id, is_started } of answer.value.shells)
      await out.print(id, is_started ? '' : styled('dim', '  was running already'));
  return 0;
}

export interface DownOptions {
  readonly label?: string;
  readonly all?: boolean;
}

export async function downShells(
  out: Output,
  client: Client,
  words: readonly string[],
  options: DownOptions,
): Promise<number> {
  if (words.length === 0 && options.label === undefined && options.all !== true) {
    return out.fail({ code: 'invalid_request', message: 'which shells? Give some, or --label, or --all' });
  }
  const chosen = words.length > 0 ? await pickShells(client, words) : await shellsByLabel(client, options);
  if (!chosen.ok) return out.fail(chosen.error);
  const stopped: ShellView[] = [];
  for (const { id } of chosen.value) {
    const answer = await client.call('stopShell', { id });
    if (!answer.ok) return out.fail(answer.error);
    stopped.push(answer.value.shell);
    if (!out.isJson) out.say(`stopped ${id}`);
  }
  if (out.isJson) await out.json({ shells: stopped });
  return 0;
}

async function shellsByLabel(client: Client, options: DownOptions): Promise<Result<readonly ShellView[]>> {
  const answer = await client.call('listShells', options.label === undefined ? {} : { label: options.label });
  if (!answer.ok) return answer;
  return ok(answer.value.shells.filter((shell) => !shell.is_infrastructure && shell.pid !== null));
}

export interface LogOptions {
  readonly lines: number;
  readonly search?: string;
}

export async function showLog(out: Output, client: Client, words: string, options: LogOptions): Promise<number> {
  const shell = await pickShell(client, words);
  if (!shell.ok) return out.fail(shell.error);
  const { id } = shell.value;
  if (options.search !== undefined) {
    const answer = await client.call('searchShellLogs', { id, q: options.search });
    if (!answer.ok) return out.fail(answer.error);
    if (out.isJson) await out.json(answer.value);
    else for (const line of answer.value.lines) await out.print(line.text);
    return 0;
  }
  const answer = await client.call('shellLogs', { id, lines: options.lines, max_bytes: MAX_BYTES });
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json(answer.value);
  else await out.write(answer.value.text);
  return 0;
}

export async function purgeShells(out: Output, client: Client, words: readonly string[]): Promise<number> {
  const chosen = await pickShells(client, words);
  if (!chosen.ok) return out.fail(chosen.error);
  const purged: string[] = [];
  for (const call of words.length === 0 ? [null] : chosen.value) {
    const answer =
      call === null ? await client.call('purgeShells', {}) : await client.call('purgeShell', { id: call.id });
    if (!answer.ok) return out.fail(answer.error);
    purged.push(...answer.value.purged);
  }
  if (out.isJson) await out.json({ purged });
  else out.say(purged.length === 0 ? 'nothing to forget' : `forgot ${purged.join(', ')}`);
  return 0;
}

export async function pickShell(client: Client, words: string): Promise<Result<ShellView>> {
  const answer = await client.call('listShells', {});
  return answer.ok ? pickFrom(answer.value.shells, words) : answer;
}

async function pickShells(client: Client, words: readonly string[]): Promise<Result<readonly ShellView[]>> {
  const picked: ShellView[] = [];
  for (const one of words) {
    const shell = await pickShell(client, one);
    if (!shell.ok) return shell;
    picked.push(shell.value);
  }
  return ok(picked);
}

/** Exact matches come before beginnings. */
export function pickFrom(shells: readonly ShellView[], words: string): Result<ShellView> {
  const nameOf = (shell: ShellView) => shell.ref.slice(shell.ref.lastIndexOf('#') + 1);
  const rules: ((shell: ShellView) => boolean)[] = [
    (shell) => shell.id === words,
    (shell) => nameOf(shell) === words,
    (shell) => shell.title.toLowerCase() === words.toLowerCase(),
    (shell) => words !== '' && shell.id.startsWith(words),
  ];
  for (const rule of rules) {
    const found = shells.filter(rule);
    const ids = found.map((shell) => shell.id);
    if (found.length > 1)
      return fail('invalid_request', `${words} can mean ${found.length} shells: ${ids.join(', ')}`, {
        candidates: ids,
      });
    if (found[0] !== undefined) return ok(found[0]);
  }
  return fail('not_found', `there is no shell ${words}: see \`signalbox shells list\``);
}

function parseCtx(words: readonly string[]): Result<Record<string, string>> {
  const pairs: [string, string][] = [];
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) return fail('invalid_request', `--ctx ${word}: expected NAME=VALUE`);
    pairs.push([word.slice(0, at), word.slice(at + 1)]);
  }
  return ok(Object.fromEntries(pairs));
}

function renderShell(shell: ShellView): Part[] {
  const { usage, exit } = shell;
  const use =
    usage === null
      ? ''
      : `${usage.cpu_percent.toFixed(1).padStart(5)} %  ${megabytes(usage.memory_bytes).padStart(6)} MB  `;
  const health = shell.health === 'unhealthy' ? ' unhealthy' : '';
  return [
    shell.id.padEnd(24),
    ' ',
    styled(COLORS[shell.state], `${shell.state}${health}`.padEnd(9)),
    ' ',
    shell.backend.padEnd(6),
    use,
    styled('dim', printableLine(shell.pid === null && exit !== null ? exit.reason : shell.command.join(' '), 80)),
  ];
}

const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(0);

/** `trust list|show|add|revoke`: thin calls over the client. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ProjectTrust } from '../contract/trust.ts';
import { printableLine } from '../core/text/printable.ts';
import type { Client } from './client.ts';
import { type Output, styled } from './output.ts';

/** Longer than any detail the server gives: a command line is shown to its end. */
const MAX_DETAIL_CHARS = 4_000;

const STATES = {
  nothing: 'nothing to load',
  trusted: 'trusted',
  kept_off: 'kept off',
  unanswered: 'off, nobody has decided',
} as const;

export async function listDecisions(out: Output, client: Client): Promise<number> {
  const answer = await client.call('trustList', {});
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json(answer.value);
  else
    for (const { path, decision, decided_at } of answer.value.decisions)
      await out.print(`${STATES[decision].padEnd(9)} ${decided_at}  ${printableLine(path)}`);
  return 0;
}

export async function showProject(out: Output, client: Client, dir: string | undefined): Promise<number> {
  const answer = await client.call('trustProject', { cwd: resolve(dir ?? '.') });
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json(answer.value);
  else await printProject(out, answer.value);
  return 0;
}

async function printProject(out: Output, { folders }: ProjectTrust): Promise<void> {
  if (folders.length === 0) out.say('no project configuration');
  for (const { path, state, findings, is_changed } of folders) {
    const changed = is_changed ? ', changed since it was trusted' : '';
    await out.print(styled('bold', printableLine(path)), `  ${STATES[state]}${changed}`);
    for (const { title, detail, file } of findings) {
      await out.print(`  ${printableLine(title)}  `, styled('dim', printableLine(file)));
      if (detail !== '') await out.print(`    ${printableLine(detail, MAX_DETAIL_CHARS)}`);
    }
  }
}

/** The command line has a token, and a token may not trust: an agent could show it too. */
export async function explainAdd(out: Output, client: Client, dir: string | undefined): Promise<number> {
  const cwd = resolve(dir ?? '.');
  const answer = await client.call('trustProject', { cwd });
  if (!answer.ok) return out.fail(answer.error);
  if (!out.isJson) await printProject(out, answer.value);
  return out.fail({
    code: 'forbidden',
    message: `only a person at the page may trust a project: open a conversation in ${cwd} (signalbox open), press "Look at it" and then "Trust"`,
    details: { project: answer.value },
  });
}

export async function revokeDecision(out: Output, client: Client, dir: string | undefined): Promise<number> {
  const path = realPath(resolve(dir ?? '.'));
  const answer = await client.call('trustRevoke', { path });
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json({ revoked: path });
  else out.say(`forgotten: ${path}`);
  return 0;
}

/** Decisions are stored for paths without links; a directory that was deleted has none. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

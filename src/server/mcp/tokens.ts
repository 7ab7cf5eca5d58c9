/** MCP tokens: each names whom it stands for and proves it, so that nothing needs to be stored but one secret. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { McpRecord } from '../../contract/run-files.ts';
import { writeFileAtomic } from '../../node/atomic-file.ts';
import { readJson } from '../../node/read-json.ts';

/** codex: our Codex process, whose calls say their thread · conversation · agent: another client, by name. */
export type TokenSubject =
  | { readonly kind: 'codex' }
  | { readonly kind: 'conversation'; readonly conversationId: string }
  | { readonly kind: 'agent'; readonly name: string };

export interface McpTokens {
  mint(subject: TokenSubject): string;
  /** Null for a token that is not ours. */
  verify(token: string): TokenSubject | null;
  /** The port we had last. */
  readonly lastPort: number | null;
  notePort(port: number): Promise<void>;
}

const PREFIX = 'sbmcp';
/** Ours are far shorter; whatever is longer is not worth hashing. */
const MAX_TOKEN_CHARS = 1_024;

export async function openMcpTokens(runDir: string): Promise<McpTokens> {
  const path = join(runDir, 'mcp.json');
  // A damaged file costs the running Codex its tools until it is started again, nothing else.
  const known = await readJson(path, McpRecord);
  const record: McpRecord = known ?? { secret: randomBytes(32).toString('hex'), port: null };
  const save = (next: McpRecord) => writeFileAtomic(path, `${JSON.stringify(next)}\n`);
  if (known === null) await save(record);
  const sign = (name: string) => createHmac('sha256', record.secret).update(`${PREFIX}:${name}`).digest();
  return {
    mint(subject) {
      const name = nameOf(subject);
      return `${PREFIX}_${Buffer.from(name).toString('base64url')}.${sign(name).toString('base64url')}`;
    },
    verify(token) {
      if (token.length > MAX_TOKEN_CHARS) return null;
      const [, encoded, proof] = /^sbmcp_([\w-]+)\.([\w-]{43})$/.exec(token) ?? [];
      if (encoded === undefined || proof === undefined) return null;
      const name = Buffer.from(encoded, 'base64url').toString();
      return timingSafeEqual(sign(name), Buffer.from(proof, 'base64url')) ? subjectOf(name) : null;
    },
    lastPort: record.port,
    async notePort(port) {
      if (port !== record.port) await save({ ...record, port });
    },
  };
}

function nameOf(subject: TokenSubject): string {
  switch (subject.kind) {
    case 'codex':
      return 'codex';
    case 'conversation':
      return subject.conversationId;
    case 'agent':
      return `agent:${subject.name}`;
    default:
      return subject satisfies never;
  }
}

function subjectOf(name: string): TokenSubject | null {
  if (name === 'codex') return { kind: 'codex' };
  if (name.startsWith('agent:')) return { kind: 'agent', name: name.slice('agent:'.length) };
  return name.startsWith('conv_') ? { kind: 'conversation', conversationId: name } : null;
}

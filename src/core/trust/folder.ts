/** A `.codex` folder as it was read from disk → its content hash, what it would run or change, and what follows from earlier decisions. Pure. */
import type { Finding, FolderState, ProjectFolder, TrustDecision } from '../../contract/trust.ts';
import { agentFindings, configFindings, hookFileFindings, ruleFindings } from './findings.ts';
import { unreadableFinding } from './words.ts';

/** config, hooks, rules and agent are what Codex loads; other files are part of the hash, since commands name scripts that lie there. */
type FileRole = 'config' | 'hooks' | 'rules' | 'agent' | 'other';

export interface FolderFile {
  /** Relative to the directory of the folder: `.codex/config.toml`. */
  readonly path: string;
  readonly content:
    | { readonly state: 'read'; readonly sha256: string; readonly text: string; readonly parsed: ParsedText }
    /** A file that cannot be read to its end has no known content. */
    | { readonly state: 'unreadable'; readonly reason: string };
}

/** Not every file has a format that is parsed: rules and scripts are text. */
export type ParsedText =
  | { readonly state: 'parsed'; readonly value: unknown }
  | { readonly state: 'text' }
  | { readonly state: 'invalid'; readonly reason: string };

export interface FolderContent {
  readonly path: string;
  readonly files: readonly FolderFile[];
  /** Why not all files were read; null if all were. */
  readonly cut: string | null;
}

export function roleOf(path: string): FileRole {
  const inside = path.slice(path.lastIndexOf('.codex/') + '.codex/'.length);
  if (inside === 'config.toml') return 'config';
  if (inside === 'hooks.json') return 'hooks';
  if (inside.startsWith('rules/') && inside.endsWith('.rules')) return 'rules';
  return inside.startsWith('agents/') && inside.endsWith('.toml') ? 'agent' : 'other';
}

export function describeFolder(
  folder: FolderContent,
  decisions: readonly TrustDecision[],
  digest: (text: string) => string,
): ProjectFolder {
  const hash = hashOf(folder, digest);
  const findings = folder.files.flatMap(findingsOf);
  if (folder.cut !== null) findings.push(unreadableFinding('.codex', folder.cut));
  const earlier = decisions.find((one) => one.path === folder.path);
  const isUnreadable = findings.some((one) => one.kind === 'unreadable');
  return {
    path: folder.path,
    hash,
    state: stateOf(findings, earlier, hash, isUnreadable),
    is_changed: earlier?.decision === 'trusted' && earlier.hash !== hash,
    findings,
    blocked: isUnreadable ? 'What a file does cannot be told, so the folder cannot be trusted as it is.' : null,
  };
}

function stateOf(
  findings: readonly Finding[],
  earlier: TrustDecision | undefined,
  hash: string,
  isUnreadable: boolean,
): FolderState {
  if (findings.length === 0) return 'nothing';
  if (earlier === undefined || earlier.hash !== hash) return 'unanswered';
  return earlier.decision === 'trusted' && isUnreadable ? 'unanswered' : earlier.decision;
}

/** Over every file that was read, in the order of their names, so that one changed byte anywhere gives another hash. */
function hashOf({ files, cut }: FolderContent, digest: (text: string) => string): string {
  const lines = files
    .map(({ path, content }) => [path, content.state === 'read' ? content.sha256 : content.reason])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return digest(JSON.stringify([lines, cut]));
}

function findingsOf({ path, content }: FolderFile): readonly Finding[] {
  const role = roleOf(path);
  if (content.state === 'unreadable') return [unreadableFinding(path, content.reason)];
  if (role === 'other') return [];
  if (role === 'rules') return ruleFindings(path, content.text);
  const { parsed } = content;
  if (parsed.state !== 'parsed')
    return [unreadableFinding(path, parsed.state === 'invalid' ? parsed.reason : 'it has no known format')];
  switch (role) {
    case 'config':
      return configFindings(path, parsed.value);
    case 'hooks':
      return hookFileFindings(path, parsed.value);
    case 'agent':
      return agentFindings(path, parsed.value);
    default:
      return role satisfies never;
  }
}

/** What exactly is asked for: the very bytes that will run, the very lines that will be written. */
import { ExternalLink } from 'lucide-react';
import { useMemo } from 'react';
import type { Ask } from '../../contract/approval.ts';
import type { FileChange } from '../../core/codex/item.ts';
import { diffOfChanges } from '../../core/conversations/diff-identity.ts';
import { safeHref } from '../markdown/clean-text.ts';
import { useApp } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showExact, showText } from '../transcript/ansi.ts';
import { LazyDiff } from '../transcript/LazyDiff.tsx';
import styles from './AskBody.module.css';

export function AskBody({ ask, approvalId }: { readonly ask: Ask; readonly approvalId: string }) {
  switch (ask.kind) {
    case 'command':
      return (
        <>
          {ask.network !== undefined && <p className={styles.text}>{showExact(ask.network.host)}</p>}
          <Exact text={ask.command} />
          {ask.cwd !== undefined && <p className={styles.where}>{en.transcript.in(showExact(ask.cwd))}</p>}
        </>
      );
    case 'file_change':
      return <Changes ask={ask} approvalId={approvalId} />;
    case 'permissions':
      return <Exact text={JSON.stringify(ask.permissions, null, 2)} />;
    case 'elicitation':
    case 'mcp_tool':
      return (
        <>
          <p className={styles.text}>{showText(ask.message)}</p>
          {ask.tool_input !== undefined && <Exact text={JSON.stringify(ask.tool_input, null, 2)} />}
          {ask.url !== undefined && <Page url={ask.url} />}
        </>
      );
    case 'questions':
      return null;
    case 'unknown':
      return <Exact text={JSON.stringify(ask.params, null, 2)} />;
    default:
      return ask satisfies never;
  }
}

function Exact({ text }: { readonly text: string | undefined }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className={styles.exact} tabIndex={0} data-exact>
      {showExact(text ?? '')}
    </pre>
  );
}

function Page({ url }: { readonly url: string }) {
  const safe = safeHref(url);
  if (safe === null) return <Exact text={url} />;
  return (
    <a href={safe} target="_blank" rel="noreferrer noopener" className={styles.page}>
      <ExternalLink size={14} aria-hidden />
      {en.approval.openUrl}
      <span className={styles.where}>{en.approval.leaves(new URL(safe).host)}</span>
    </a>
  );
}

interface ChangesProps {
  readonly ask: Extract<Ask, { kind: 'file_change' }>;
  readonly approvalId: string;
}

/** More would push the buttons off the screen. */
const MAX_OPEN_FILES = 2;
const KINDS: readonly FileChange['kind'][] = ['add', 'delete', 'move', 'update'];

function Changes({ ask, approvalId }: ChangesProps) {
  const cwd = useApp((state) => state.meta?.cwd ?? '');
  const diff = useMemo(() => {
    const changes = ask.changes.map(
      (one): FileChange => ({
        path: one.path,
        kind: KINDS.find((kind) => kind === one.kind) ?? 'update',
        diff: one.diff,
        ...(one.moved_to !== undefined && { movedTo: one.moved_to }),
      }),
    );
    return diffOfChanges(changes, cwd);
  }, [ask, cwd]);
  return (
    <div className={styles.files}>
      <LazyDiff rowKey={approvalId} diff={diff} maxOpen={MAX_OPEN_FILES} refusal={null} />
    </div>
  );
}

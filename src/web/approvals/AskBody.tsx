/** What exactly is asked for: the very bytes that will run, the very lines that will be written. */
import { ExternalLink } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { Ask } from '../../contract/approval.ts';
import type { FileChange } from '../../core/codex/item.ts';
import { diffOfChanges } from '../../core/conversations/diff-identity.ts';
import { safeHref } from '../../markdown/clean-text.ts';
import { useApp } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showName } from '../transcript/ansi.ts';
import { exactJson } from '../transcript/exact-text.ts';
import { LazyDiff } from '../transcript/LazyDiff.tsx';
import { middleCut } from '../ui/format.ts';
import { OutsideLink } from '../ui/OutsideLink.tsx';
import styles from './AskBody.module.css';
import { Exact } from './Exact.tsx';
import { Reason } from './Reason.tsx';
import { briefReason } from './reading-gate.ts';

/** A name is a label here, not a text. */
const MAX_SERVER_CHARS = 60;

interface AskBodyProps {
  readonly ask: Ask;
  readonly approvalId: string;
  /** What a question wants filled in. */
  readonly form: ReactNode;
  /** Stands behind the last thing that must be seen before the request may be allowed. */
  readonly end: ReactNode;
}

export function AskBody({ ask, approvalId, form, end }: AskBodyProps) {
  switch (ask.kind) {
    case 'command':
      return (
        <>
          {ask.network !== undefined && <p className={styles.text}>{showName(ask.network.host)}</p>}
          <Exact text={ask.command} name={en.approval.parts.command} />
          {ask.cwd !== undefined && <p className={styles.where}>{en.transcript.in(showName(ask.cwd))}</p>}
          {end}
        </>
      );
    case 'file_change':
      return <Changes ask={ask} approvalId={approvalId} end={end} />;
    case 'permissions':
      return (
        <>
          <Json value={ask.permissions} name={en.approval.parts.permissions} end={end} />
          {ask.cwd !== undefined && <p className={styles.where}>{en.transcript.in(showName(ask.cwd))}</p>}
        </>
      );
    case 'elicitation':
      return <Elicitation ask={ask} form={form} end={end} />;
    case 'mcp_tool':
      return (
        <>
          <Reason text={ask.message} by={en.words.ofTool} />
          <Given ask={ask} end={end} />
        </>
      );
    case 'questions':
      return (
        <>
          {form}
          {end}
        </>
      );
    case 'unknown':
      return <Json value={ask.params} name={en.approval.parts.params} end={end} />;
    default:
      return ask satisfies never;
  }
}

interface GivenProps {
  readonly ask: Extract<Ask, { kind: 'elicitation' | 'mcp_tool' }>;
  readonly end: ReactNode;
}

/** The page a server wants opened, and what its tool is given. */
function Given({ ask, end }: GivenProps) {
  return (
    <>
      {ask.url !== undefined && <Page url={ask.url} />}
      {ask.tool_input === undefined ? end : <Json value={ask.tool_input} name={en.approval.parts.input} end={end} />}
    </>
  );
}

/** A question of an MCP server. Its words are cut, so that they push neither the link nor the fields out of view; all of them must have been shown. */
function Elicitation({ ask, form, end }: GivenProps & { readonly form: ReactNode }) {
  const [wasWhole, setWasWhole] = useState(() => briefReason(ask.message).lines === null);
  const words = en.words.ofServer(middleCut(showName(ask.server), MAX_SERVER_CHARS));
  const rest = (
    <>
      {form}
      {wasWhole && end}
    </>
  );
  return (
    <>
      <Reason text={ask.message} by={words} onWhole={() => setWasWhole(true)} />
      <Given ask={ask} end={rest} />
    </>
  );
}

interface JsonProps {
  readonly value: unknown;
  readonly name: string;
  readonly end: ReactNode;
}

/** Without an end, so that it cannot be allowed, where the value cannot be shown. */
function Json({ value, name, end }: JsonProps) {
  const text = exactJson(value);
  if (text === null) return <p className={styles.text}>{en.approval.unshowable}</p>;
  return (
    <>
      <Exact text={text} name={name} />
      {end}
    </>
  );
}

function Page({ url }: { readonly url: string }) {
  const safe = safeHref(url);
  if (safe === null) return <Exact text={url} name={en.approval.parts.url} />;
  return (
    <OutsideLink href={safe} className={styles.page}>
      <ExternalLink size={14} aria-hidden />
      {en.approval.openUrl}
      <span className={styles.where}>{en.approval.leaves(new URL(safe).host)}</span>
    </OutsideLink>
  );
}

interface ChangesProps {
  readonly ask: Extract<Ask, { kind: 'file_change' }>;
  readonly approvalId: string;
  readonly end: ReactNode;
}

const KINDS: readonly FileChange['kind'][] = ['add', 'delete', 'move', 'update'];

function Changes({ ask, approvalId, end }: ChangesProps) {
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
      <LazyDiff rowKey={approvalId} diff={diff} maxOpen={Number.POSITIVE_INFINITY} refusal={null} isWhole>
        {end}
      </LazyDiff>
    </div>
  );
}

/** Short rows: errors, warnings, notes, how a turn ended, how an approval ended, and what nobody knows. */
import {
  Check,
  CircleAlert,
  CircleSlash,
  FilePen,
  Info,
  OctagonX,
  ShieldCheck,
  ShieldX,
  TriangleAlert,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { EntryOf } from '../../contract/entry.ts';
import { explainError } from '../../core/text/explain-error.ts';
import { en } from '../strings/en.ts';
import { classes } from '../ui/classes.ts';
import { formatClock, formatDuration, formatExact } from '../ui/format.ts';
import { showExact, showText } from './ansi.ts';
import styles from './NoticeCard.module.css';
import { useAsking } from './use-asking.ts';

export function WarningCard({ text }: { readonly text: string }) {
  return (
    <div className={classes(styles.alert, styles.warning)}>
      <TriangleAlert size={16} aria-hidden />
      <div className={styles.text}>{showText(text)}</div>
    </div>
  );
}

/** What happened and what to do; the exact words of the other side on demand. */
export function ErrorCard({ text, code }: { readonly text: string; readonly code: string | null }) {
  const { what, next } = explainError(text, code);
  return (
    <div className={classes(styles.alert, styles.error)}>
      <OctagonX size={16} aria-hidden />
      <div className={styles.text}>
        <p>{showText(what)}</p>
        <p className={styles.next}>{next}</p>
        {text.trim() !== what && (
          <details className={styles.details}>
            <summary>{en.transcript.errorDetails}</summary>
            <pre>{showText(text)}</pre>
          </details>
        )}
      </div>
    </div>
  );
}

export function NoteCard({ entry }: { readonly entry: EntryOf<'note'> }) {
  return (
    <div className={styles.note}>
      <Info size={14} aria-hidden />
      {(entry.text === '' || entry.kind === 'api') && <span>{en.notes[entry.kind]}</span>}
      {entry.text !== '' && <span className={styles.quiet}>{showText(entry.text)}</span>}
    </div>
  );
}

/** Quiet: the last line of a turn. */
export function TurnFooter({ entry, ts }: { readonly entry: EntryOf<'status'>; readonly ts: string }) {
  const { turn_status, duration_ms } = entry;
  const words = duration_ms === null ? en.turn[turn_status] : en.turnAfter[turn_status](formatDuration(duration_ms));
  const icons = { completed: Check, failed: CircleAlert, interrupted: CircleSlash };
  const Icon = icons[turn_status];
  return (
    <div className={classes(styles.footer, styles[turn_status])}>
      <Icon size={14} aria-hidden />
      <span>{words}</span>
      <time dateTime={ts} title={formatExact(ts)}>
        {formatClock(ts)}
      </time>
    </div>
  );
}

export function ApprovalRecord({ entry }: { readonly entry: EntryOf<'approval'> }) {
  const isYes = entry.status === 'accepted';
  const words = isForm(entry.kind) ? en.approval.answerRecord : en.approval.record;
  const scope = { accept_for_session: en.approval.forSession, accept_always: en.approval.forAlways }[
    entry.decision ?? ''
  ];
  return (
    <div className={styles.note}>
      {isYes ? <ShieldCheck size={14} className={styles.yes} aria-hidden /> : <ShieldX size={14} aria-hidden />}
      <span>{words[entry.status]}</span>
      {scope !== undefined && <span>{scope}</span>}
      <Subject>{entry.command ?? entry.path ?? entry.title}</Subject>
    </div>
  );
}

/** What asks for words is answered, not allowed. */
function isForm(kind: string): boolean {
  return kind === 'questions' || kind === 'elicitation' || kind === 'unknown';
}

export function AskingRow({ title }: { readonly title: string }) {
  return (
    <div className={classes(styles.note, styles.asking)}>
      <CircleAlert size={14} aria-hidden />
      <span>{en.transcript.waits}</span>
      <Subject>{title}</Subject>
    </div>
  );
}

interface ChangingRowProps {
  readonly paths: readonly string[];
  readonly itemId: string;
}

export function ChangingRow({ paths, itemId }: ChangingRowProps) {
  const isAsking = useAsking(itemId);
  return (
    <div className={classes(styles.note, isAsking && styles.asking)}>
      <FilePen size={14} aria-hidden />
      <Subject>{en.transcript.changing(paths.join(', '))}</Subject>
      {isAsking && <span>{en.transcript.waitsForYou}</span>}
    </div>
  );
}

function Subject({ children }: { readonly children: string }): ReactNode {
  return (
    <code className={styles.subject} title={showExact(children)}>
      {showExact(children.replaceAll('\n', ' '))}
    </code>
  );
}

export function UnknownCard({ role }: { readonly role: string }) {
  return (
    <div className={styles.note}>
      <Info size={14} aria-hidden />
      <span>{en.transcript.unknown(role)}</span>
    </div>
  );
}

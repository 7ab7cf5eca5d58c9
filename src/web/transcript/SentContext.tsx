/** What went along with a message: a small mark below it, and on demand exactly what the model was given. */
import { ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ContextRecord, Fragment } from '../../contract/context.ts';
import type { EntryOf } from '../../contract/entry.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { classes } from '../ui/classes.ts';
import { showText } from './ansi.ts';
import styles from './SentContext.module.css';
import { useOpen } from './use-open.ts';

interface SentContextProps {
  readonly rowKey: string;
  readonly entry: EntryOf<'user'>;
}

export function SentContext({ rowKey, entry }: SentContextProps) {
  const [isOpen, toggle] = useOpen(`context:${rowKey}`, false);
  const { context: names = [], client_message_id: messageId } = entry;
  if (names.length === 0 || messageId === undefined) return null;
  const telling = names.filter((name) => name !== 'policy').map((name) => en.context.names[name]);
  return (
    <div className={styles.context}>
      <button type="button" className={styles.chip} aria-expanded={isOpen} onClick={toggle}>
        <ChevronRight size={12} className={classes(styles.arrow, isOpen && styles.open)} aria-hidden />
        {en.context.chip((telling.length === 0 ? [en.context.names.policy] : telling).join(', '))}
      </button>
      {isOpen && <Given messageId={messageId} />}
    </div>
  );
}

function Given({ messageId }: { readonly messageId: string }) {
  const id = useApp((state) => state.meta?.conversation_id ?? null);
  const { readContext } = useCommands();
  const [record, setRecord] = useState<ContextRecord | 'failed' | null>(null);
  useEffect(() => {
    let isCurrent = true;
    if (id === null) return;
    void readContext(id, messageId).then((read) => {
      if (isCurrent) setRecord(read.ok ? read.value.context : 'failed');
    });
    return () => {
      isCurrent = false;
    };
  }, [id, messageId, readContext]);
  if (record === null) return <p className={styles.fact}>{en.loading}</p>;
  if (record === 'failed') return <p className={styles.fact}>{en.context.failed}</p>;
  return (
    <div className={styles.given}>
      {record.carrier === 'sentinel' && <p className={styles.fact}>{en.context.sentinel}</p>}
      {record.fragments.map((fragment) => (
        <GivenFragment key={fragment.key} fragment={fragment} />
      ))}
      {record.left_out.map(({ key, bytes }) => (
        <p key={key} className={styles.fact}>
          {en.context.leftOut(key, bytes)}
        </p>
      ))}
    </div>
  );
}

function GivenFragment({ fragment }: { readonly fragment: Fragment }) {
  const { key, kind, value, cut_bytes } = fragment;
  return (
    <section className={styles.fragment} aria-label={key}>
      <p className={styles.fact}>
        <strong>{key}</strong>
        <span>{kind === 'untrusted' ? en.context.data : en.context.developer}</span>
        <span>{en.context.size(new TextEncoder().encode(value).length)}</span>
        {cut_bytes !== undefined && <span>{en.context.cut(cut_bytes)}</span>}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={styles.value} tabIndex={0}>
        {showText(value)}
      </pre>
    </section>
  );
}

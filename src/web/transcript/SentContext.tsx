/** What went along with a message: a small mark below it, and on demand exactly what the model was given. */

import { ChevronRight } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { ContextRecord, Fragment } from '../../contract/context.ts';
import type { EntryOf } from '../../contract/entry.ts';
import { byteLength } from '../../core/text/bytes.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { classes } from '../ui/classes.ts';
import { showText } from './ansi.ts';
import { CONTEXT_NAMES, describeMark, readCommands } from './describe-given.ts';
import styles from './SentContext.module.css';
import { useOpen } from './use-open.ts';

interface SentContextProps {
  readonly rowKey: string;
  readonly entry: EntryOf<'user'>;
}

export function SentContext({ rowKey, entry }: SentContextProps) {
  const [isOpen, toggle] = useOpen(`context:${rowKey}`, false);
  const id = useId();
  const { context: names = [], context_counts: counts = {}, client_message_id: messageId } = entry;
  if (names.length === 0 || messageId === undefined) return null;
  return (
    <div className={styles.context}>
      <button
        type="button"
        className={styles.chip}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={toggle}
      >
        <ChevronRight size={12} className={classes(styles.arrow, isOpen && styles.open)} aria-hidden />
        {en.context.chip(describeMark({ names, counts }))}
      </button>
      {isOpen && (
        <section id={id} className={styles.given} aria-label={en.context.given}>
          <Given messageId={messageId} />
        </section>
      )}
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
    <>
      {record.carrier === 'sentinel' && <p className={styles.fact}>{en.context.sentinel}</p>}
      {inReadingOrder(record.fragments).map((fragment) => (
        <GivenFragment key={fragment.key} fragment={fragment} />
      ))}
      {record.left_out.map(({ key, bytes }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two of one key can be left out
        <p key={at} className={styles.fact}>
          {en.context.leftOut(key, bytes)}
        </p>
      ))}
    </>
  );
}

const inReadingOrder = (fragments: readonly Fragment[]): readonly Fragment[] =>
  fragments.toSorted((a, b) => CONTEXT_NAMES.indexOf(a.name) - CONTEXT_NAMES.indexOf(b.name));

function GivenFragment({ fragment }: { readonly fragment: Fragment }) {
  const { name, kind, value, cut_bytes } = fragment;
  const title = en.context.titles[name];
  const read = readCommands(fragment);
  return (
    <div className={classes(styles.fragment, kind === 'untrusted' && styles.data)}>
      <div className={styles.fact}>
        <h3 className={styles.title}>{title}</h3>
        <span>{kind === 'untrusted' ? en.context.data : en.context.developer}</span>
        <span>{en.context.size(byteLength(value))}</span>
        {cut_bytes !== undefined && <strong>{en.context.cut(cut_bytes)}</strong>}
        {read?.missing.map((one) => (
          <strong key={one}>{one}</strong>
        ))}
      </div>
      {read !== null && (
        <ul className={styles.commands}>
          {read.commands.map((one) => (
            <li key={one.key}>
              <code>{showText(one.cmd)}</code>
              <span className={one.isGood ? styles.good : styles.bad}>{one.end}</span>
            </li>
          ))}
        </ul>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={styles.value} tabIndex={0} aria-label={en.context.exact(title)}>
        <pre>{showText(value)}</pre>
      </section>
    </div>
  );
}

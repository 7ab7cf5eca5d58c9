/** Exactly what the model was given along with a message. */
import { useEffect, useState } from 'react';
import type { ContextRecord, Fragment } from '../../contract/context.ts';
import { byteLength } from '../../core/text/bytes.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { classes } from '../ui/classes.ts';
import { showText } from './ansi.ts';
import { CONTEXT_NAMES, readCommands } from './describe-given.ts';
import styles from './SentContext.module.css';

export function GivenContext({ messageId }: { readonly messageId: string }) {
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

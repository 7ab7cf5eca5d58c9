/** What came by file and was no event: how many, and on request which and why. */
import { useEffect, useState } from 'react';
import type { EventsOf } from '../state/event-commands.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showExact, showText } from '../transcript/ansi.ts';
import { formatExact } from '../ui/format.ts';
import styles from './EventsPanel.module.css';

export function RejectedEvents({ of, count }: { readonly of: EventsOf; readonly count: number }) {
  const [isOpen, setOpen] = useState(false);
  if (count === 0) return null;
  return (
    <details className={styles.rejected} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{en.events.quarantined(count)}</summary>
      {isOpen && <RejectedList of={of} count={count} />}
    </details>
  );
}

function RejectedList({ of, count }: { readonly of: EventsOf; readonly count: number }) {
  const { listRejected } = useCommands();
  const [rejected, setRejected] = useState<Awaited<ReturnType<typeof listRejected>>>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another count means that there are others
  useEffect(() => {
    let isWanted = true;
    void listRejected(of).then((read) => isWanted && setRejected(read));
    return () => {
      isWanted = false;
    };
  }, [listRejected, of, count]);
  if (rejected === null) return <p>{en.loading}</p>;
  return (
    <>
      <p>{en.events.rejectedNote}</p>
      <ul className={styles.parts}>
        {[...rejected].reverse().map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no name
          <li key={at}>
            <span>{showText(one.reason)}</span>
            <span className={styles.second}>{formatExact(one.ts)}</span>
            {one.text !== '' && <code className={styles.clipped}>{showExact(one.text)}</code>}
          </li>
        ))}
      </ul>
    </>
  );
}

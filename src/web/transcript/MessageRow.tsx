/** A message as the transcript has it: what was said, and what became of it. */
import type { MessageDelivery, MessageEntry } from '../../core/conversations/reduce-deliveries.ts';
import { speakerOf } from '../../core/events/render-speaker.ts';
import { en } from '../strings/en.ts';
import { formatClock, formatExact } from '../ui/format.ts';
import { showText } from './ansi.ts';
import styles from './MessageCard.module.css';
import { MessageActions, UserCard } from './MessageCard.tsx';
import { NotDelivered } from './NotDelivered.tsx';
import { SentContext } from './SentContext.tsx';
import { Underway } from './Underway.tsx';

interface MessageRowProps {
  readonly rowKey: string;
  readonly entry: MessageEntry;
  readonly delivery: MessageDelivery;
}

export function MessageRow({ rowKey, entry, delivery }: MessageRowProps) {
  const isLost = delivery.state === 'not_delivered';
  if (isLost && delivery.repeated === 'yes') return <ReplacedLine ts={entry.ts} />;
  return (
    <UserCard
      speaker={speakerOf(entry.client_message_id)}
      text={entry.text}
      images={entry.images}
      ts={entry.ts}
      seq={entry.seq}
      note={
        <>
          {entry.from !== undefined && <span className={styles.from}>{en.elsewhere.from(showText(entry.from))}</span>}
          {delivery.state === 'sent' && <Underway mode={entry.mode} />}
        </>
      }
      actions={<MessageActions entry={{ ...entry, turn_id: delivery.turn_id }} />}
      context={<SentContext rowKey={rowKey} entry={entry} />}
      outcome={isLost && <NotDelivered entry={entry} delivery={delivery} />}
    />
  );
}

/** All that is left of a message that was sent again: its words are shown below, where they were delivered. */
function ReplacedLine({ ts }: { readonly ts: string }) {
  return (
    <div className={styles.user}>
      <div className={styles.who}>
        <h2 className={styles.name}>{en.transcript.you}</h2>
        {en.message.sentAgain}
        <time dateTime={ts} title={formatExact(ts)}>
          {formatClock(ts)}
        </time>
      </div>
    </div>
  );
}

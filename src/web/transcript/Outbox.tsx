/** Messages on their way: shown at once, replaced by the entry the server writes. */
import { useApp } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { UserCard } from './MessageCard.tsx';
import styles from './TranscriptList.module.css';

export function Outbox() {
  const outbox = useApp((state) => state.outbox);
  const openId = useApp((state) => state.openId);
  return outbox
    .filter((one) => one.conversationId === openId)
    .map((one) => (
      <div key={one.clientMessageId} className={styles.outgoing}>
        <UserCard
          text={one.text}
          images={undefined}
          ts={null}
          note={one.isTaken ? en.transcript.taken : en.transcript.sending}
        />
      </div>
    ));
}

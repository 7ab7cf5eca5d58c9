/** Messages on their way to the server: shown at once, in the place where the entry that replaces them appears. */
import { useApp } from '../state/use-app.ts';
import { classes } from '../ui/classes.ts';
import { UserCard } from './MessageCard.tsx';
import styles from './TranscriptList.module.css';
import { Underway } from './Underway.tsx';

export function Outbox() {
  const outbox = useApp((state) => state.outbox);
  const openId = useApp((state) => state.openId);
  const isFirst = useApp((state) => state.transcript.keys.length === 0);
  return outbox
    .filter((one) => one.conversationId === openId)
    .map((one, at) => (
      <div key={one.clientMessageId} className={classes(styles.outgoing, isFirst && at === 0 && styles.first)}>
        <UserCard text={one.text} images={[...one.images]} ts={null} note={<Underway mode={one.mode} />} />
      </div>
    ));
}

/** One message of the board: who, when, about what, and the words as data from outside. */
import { Reply, Trash2 } from 'lucide-react';
import type { BoardMessage } from '../../contract/board.ts';
import { Markdown } from '../markdown/Markdown.tsx';
import { renderPlace } from '../route.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showText } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { Failed } from '../ui/Failed.tsx';
import { formatAgo, formatExact } from '../ui/format.ts';
import { Guard } from '../ui/Guard.tsx';
import styles from './Board.module.css';

interface PostProps {
  readonly message: BoardMessage;
  readonly onReply: (message: BoardMessage) => void;
  readonly onFailure: (text: string) => void;
}

export function Post(props: PostProps) {
  const { message } = props;
  return (
    <Guard of={message} fallback={() => <Failed notice={en.crash.row} text={message.message} />}>
      <PostCard {...props} />
    </Guard>
  );
}

function PostCard({ message, onReply, onFailure }: PostProps) {
  const { num, ts, kind, reply_to: replyTo, to, topic, conversation_id: conversationId, hops } = message;
  const { erasePost } = useCommands();
  const who = showText(message.who);
  return (
    <article className={styles.post} data-num={num} aria-label={`${who} ${num}`}>
      <header className={styles.head}>
        {conversationId === null ? (
          <strong className={styles.who}>{who}</strong>
        ) : (
          <a className={styles.who} href={renderPlace({ conversationId })} title={en.board.open(who)}>
            {who}
          </a>
        )}
        <span className={styles.kind}>{en.board.kinds[kind]}</span>
        {to !== null && <span>{en.board.to(showText(to))}</span>}
        {replyTo !== null && <span>{en.board.answers(replyTo)}</span>}
        {topic !== null && <span className={styles.topic}>#{showText(topic)}</span>}
        {hops > 1 && <span>{en.board.hops(hops)}</span>}
        <span className={styles.grow} />
        <time dateTime={ts} title={formatExact(ts)}>
          {formatAgo(ts, Date.now())}
        </time>
        <span className={styles.num}>{num}</span>
      </header>
      <Markdown text={message.message} isQuiet />
      <footer className={styles.acts}>
        {message.mentions.map(({ label, conversation_id: id }) =>
          id === null ? null : (
            <a key={id} href={renderPlace({ conversationId: id })} className={styles.mention}>
              @{showText(label)}
            </a>
          ),
        )}
        <span className={styles.grow} />
        <Button
          tone="quiet"
          icon={<Reply size={14} />}
          name={`${en.board.reply} ${num}`}
          onClick={() => onReply(message)}
        />
        <Button
          tone="quiet"
          icon={<Trash2 size={14} />}
          name={en.board.remove(num)}
          onClick={() => void erasePost(num).then((failed) => onFailure(failed?.message ?? ''))}
        />
      </footer>
    </article>
  );
}

/** A post on the board that concerns this conversation: data from outside, with its source in words. */

import { MessagesSquare } from 'lucide-react';
import type { EntryOf } from '../../contract/entry.ts';
import { describeStanding } from '../events/describe-event.ts';
import { Markdown } from '../markdown/Markdown.tsx';
import { renderPlace } from '../route.ts';
import { en } from '../strings/en.ts';
import { formatClock, formatExact } from '../ui/format.ts';
import { showText } from './ansi.ts';
import styles from './BoardCard.module.css';
import type { ShownStanding } from './event-standings.ts';

interface BoardCardProps {
  readonly entry: EntryOf<'board'>;
  readonly ts: string;
  /** Of the event it is for the model; without one nobody was told. */
  readonly standing: ShownStanding | undefined;
}

export function BoardCard({ entry, ts, standing }: BoardCardProps) {
  const { num, kind, topic, told, from_conversation_id: conversationId } = entry;
  const who = showText(entry.who);
  return (
    <article className={styles.card}>
      <header className={styles.head}>
        <MessagesSquare size={14} aria-hidden />
        <span>{en.board.from(who, showText(kind))}</span>
        {topic !== null && <span>#{showText(topic)}</span>}
        <span>{standing === undefined ? (told ? en.board.told : en.board.untold) : describeStanding(standing)}</span>
        {conversationId !== null && <a href={renderPlace({ conversationId })}>{en.board.open(who)}</a>}
        <span className={styles.grow} />
        <span className={styles.num}>{num}</span>
        <time dateTime={ts} title={formatExact(ts)}>
          {formatClock(ts)}
        </time>
      </header>
      <Markdown text={entry.text} isQuiet />
    </article>
  );
}

/** The board in the drawer: live, threaded, searchable; a form to write as yourself. Fetched when it is first opened. */
import { Search } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { BoardMessage } from '../../contract/board.ts';
import { threadsOf } from '../../core/board/render-threads.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import fields from '../ui/Field.module.css';
import styles from './Board.module.css';
import { Post } from './Post.tsx';
import { PostForm } from './PostForm.tsx';
import { type BoardView, useBoard } from './use-board.ts';

/** Nearer to the end than this counts as being there. */
const END_PX = 48;

export function BoardPane() {
  const [query, setQuery] = useState('');
  const [topic, setTopic] = useState('');
  const [replyTo, setReplyTo] = useState<BoardMessage | null>(null);
  const [failure, setFailure] = useState('');
  const board = useBoard({ query, topic });
  const topics = useTopics(board.messages.at(-1)?.num ?? 0);
  return (
    <div className={styles.pane}>
      <div className={styles.tools}>
        <label className={classes(fields.field, styles.search)}>
          <Search size={14} aria-hidden />
          <input
            type="search"
            value={query}
            placeholder={en.board.search}
            aria-label={en.board.search}
            onChange={(event) => setQuery(event.target.value)}
          />
        </label>
        <select
          className={classes(fields.field, styles.choice)}
          value={topic}
          aria-label={en.board.topics}
          onChange={(event) => setTopic(event.target.value)}
        >
          <option value="">{en.board.allTopics}</option>
          {topics.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </div>
      {!board.isLive && <p className={styles.note}>{en.board.lost}</p>}
      {failure !== '' && (
        <p className={styles.failure} role="alert">
          {failure}
        </p>
      )}
      <Threads board={board} isFiltered={query !== '' || topic !== ''} onReply={setReplyTo} onFailure={setFailure} />
      <PostForm replyTo={replyTo} topic={topic} onDone={() => setReplyTo(null)} />
    </div>
  );
}

interface ThreadsProps {
  readonly board: BoardView;
  readonly isFiltered: boolean;
  readonly onReply: (message: BoardMessage) => void;
  readonly onFailure: (text: string) => void;
}

function Threads({ board, isFiltered, onReply, onFailure }: ThreadsProps) {
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const threads = useMemo(() => threadsOf(board.messages), [board.messages]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is the reason to look
  useEffect(() => {
    if (isAtEnd.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [board.messages]);
  return (
    <div
      ref={list}
      className={styles.list}
      role="feed"
      aria-label={en.board.label}
      aria-busy={board.status === 'loading'}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < END_PX;
      }}
    >
      {board.hasMore && (
        <Button tone="quiet" onClick={() => void board.older()}>
          {en.board.older}
        </Button>
      )}
      {board.status !== 'ready' && (
        <p className={styles.note}>{board.status === 'failed' ? en.board.failed : en.loading}</p>
      )}
      {board.status === 'ready' && threads.length === 0 && (
        <p className={styles.note}>{isFiltered ? en.board.nothing : en.board.empty}</p>
      )}
      {threads.map(({ root, replies }) => (
        <section key={root.num} className={styles.thread}>
          <Post message={root} onReply={onReply} onFailure={onFailure} />
          {replies.length > 0 && (
            <div className={styles.replies}>
              {replies.map((one) => (
                <Post key={one.num} message={one} onReply={onReply} onFailure={onFailure} />
              ))}
            </div>
          )}
        </section>
      ))}
    </div>
  );
}

/** Asked again when something was said: it may be a new topic. */
function useTopics(lastNum: number): readonly string[] {
  const { readTopics } = useCommands();
  const [topics, setTopics] = useState<readonly string[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is the reason to ask
  useEffect(() => {
    let isCurrent = true;
    void readTopics().then((read) => isCurrent && setTopics(read));
    return () => {
      isCurrent = false;
    };
  }, [lastNum, readTopics]);
  return topics;
}

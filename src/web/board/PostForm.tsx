/** Writing on the board as yourself: name, topic, words; Ctrl-Enter or the button posts. */
import { X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { BoardMessage } from '../../contract/board.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import fields from '../ui/Field.module.css';
import styles from './Board.module.css';

interface PostFormProps {
  readonly replyTo: BoardMessage | null;
  readonly topic: string;
  readonly onDone: () => void;
}

export function PostForm({ replyTo, topic: chosen, onDone }: PostFormProps) {
  const name = useApp((state) => state.device.boardName);
  const { setDevice, writePost } = useCommands();
  const [text, setText] = useState('');
  const [topic, setTopic] = useState('');
  const [failure, setFailure] = useState('');
  const [isSending, setSending] = useState(false);
  const canPost = text.trim() !== '' && name.trim() !== '' && !isSending;

  async function post(): Promise<void> {
    if (!canPost) return;
    setSending(true);
    const about = topic.trim() || chosen;
    const failed = await writePost({
      who: name,
      message: text,
      client_message_id: `page_${crypto.randomUUID()}`,
      ...(replyTo === null && about !== '' && { topic: about }),
      ...(replyTo !== null && { reply_to: replyTo.num }),
    });
    setSending(false);
    setFailure(failed?.message ?? '');
    if (failed !== null) return;
    setText('');
    onDone();
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void post();
  }

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void post();
      }}
    >
      {replyTo !== null && (
        <div className={styles.replying}>
          <span>{en.board.replyTo(replyTo.num)}</span>
          <Button tone="quiet" icon={<X size={14} />} name={en.cancel} onClick={onDone} />
        </div>
      )}
      <textarea
        className={styles.words}
        rows={3}
        value={text}
        placeholder={en.board.placeholder}
        aria-label={en.board.message}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKey}
      />
      {failure !== '' && (
        <p className={styles.failure} role="alert">
          {failure}
        </p>
      )}
      <div className={styles.row}>
        <input
          className={fields.field}
          value={name}
          aria-label={en.board.name}
          maxLength={120}
          onChange={(event) => setDevice({ boardName: event.target.value })}
        />
        {replyTo === null && (
          <input
            className={fields.field}
            value={topic}
            placeholder={chosen === '' ? en.board.topic : chosen}
            aria-label={en.board.topic}
            maxLength={120}
            onChange={(event) => setTopic(event.target.value)}
          />
        )}
        <Button tone="primary" type="submit" disabled={!canPost}>
          {en.board.post}
        </Button>
      </div>
    </form>
  );
}

/** Messages that wait for the running turn to end: to be seen, moved, changed or dropped. */
import { ArrowDown, ArrowUp, Pencil, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ConversationMeta, QueuedMessage } from '../../contract/conversation.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showText } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import styles from './QueueList.module.css';
import { type SplitQueue, splitQueue } from './split-queue.ts';

/** The button that was pressed goes away with what it did. */
const toComposer = () => document.getElementById('composer')?.focus({ preventScroll: true });

export function QueueList() {
  const meta = useApp((state) => state.meta);
  if (meta === null || meta.queue.length === 0) return null;
  return <Queue meta={meta} />;
}

function Queue({ meta }: { readonly meta: ConversationMeta }) {
  const entries = useApp((state) => state.view.entries);
  const { leaving, waiting } = useMemo(() => splitQueue(meta.queue, entries), [meta.queue, entries]);
  return waiting.length === 0 ? null : <Waiting meta={meta} leaving={leaving} waiting={waiting} />;
}

interface WaitingProps extends SplitQueue {
  readonly meta: ConversationMeta;
}

function Waiting({ meta, leaving, waiting }: WaitingProps) {
  const { writeQueue, resumeQueue, sendQueued } = useCommands();
  const id = meta.conversation_id;
  const write = (queue: readonly QueuedMessage[]) =>
    void writeQueue(
      id,
      [...leaving, ...queue].map(({ client_message_id, text }) => ({ client_message_id, text })),
    );

  function move(from: number, to: number): void {
    const next = [...waiting];
    const [one] = next.splice(from, 1);
    if (one !== undefined) write(next.toSpliced(to, 0, one));
  }

  return (
    <section className={styles.queue} aria-label={en.queue.title(waiting.length)}>
      <div className={styles.head}>
        <span>{en.queue.title(waiting.length)}</span>
        {meta.queue_paused && (
          <>
            <span className={styles.paused}>{en.queue.paused}</span>
            <Button
              onClick={() => {
                void resumeQueue(id);
                toComposer();
              }}
            >
              {en.queue.resume}
            </Button>
          </>
        )}
      </div>
      <ol>
        {waiting.map((message, at) => (
          <Item
            key={message.client_message_id}
            message={message}
            onNow={() => {
              void sendQueued(id, message.client_message_id);
              toComposer();
            }}
            onUp={at === 0 ? null : () => move(at, at - 1)}
            onDown={at === waiting.length - 1 ? null : () => move(at, at + 1)}
            onEdit={(text) => write(waiting.with(at, { ...message, text }))}
            onRemove={() => {
              write(waiting.toSpliced(at, 1));
              toComposer();
            }}
          />
        ))}
      </ol>
    </section>
  );
}

interface ItemProps {
  readonly message: QueuedMessage;
  readonly onNow: () => void;
  readonly onUp: (() => void) | null;
  readonly onDown: (() => void) | null;
  readonly onEdit: (text: string) => void;
  readonly onRemove: () => void;
}

function Item({ message, onNow, onUp, onDown, onEdit, onRemove }: ItemProps) {
  const [edited, setEdited] = useState<string | null>(null);
  const [wasEdited, setWasEdited] = useState(false);

  function leave(): void {
    setEdited(null);
    setWasEdited(true);
  }

  function save(text: string): void {
    if (text.trim() !== '') onEdit(text);
    leave();
  }

  if (edited !== null) {
    return (
      <li className={styles.item}>
        <textarea
          className={styles.edit}
          value={edited}
          rows={Math.min(6, edited.split('\n').length + 1)}
          aria-label={en.queue.edit}
          // biome-ignore lint/a11y/noAutofocus: it appears because somebody asked to type here
          autoFocus
          onChange={(event) => setEdited(event.target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === 'Escape') leave();
            else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save(edited);
          }}
        />
        <Button tone="quiet" onClick={leave}>
          {en.cancel}
        </Button>
        <Button tone="primary" title={en.queue.saveHint} onClick={() => save(edited)}>
          {en.save}
        </Button>
      </li>
    );
  }
  return (
    <li className={styles.item}>
      <span className={styles.text}>{showText(message.text) || en.transcript.images(message.images.length)}</span>
      <Button tone="quiet" className={styles.now} title={en.queue.nowHint} onClick={onNow}>
        {en.queue.now}
      </Button>
      <Button
        tone="quiet"
        icon={<ArrowUp size={14} />}
        name={en.queue.up}
        // Not `disabled`: a button that was just pressed keeps the focus at the end of its way.
        aria-disabled={onUp === null}
        onClick={() => onUp?.()}
      />
      <Button
        tone="quiet"
        icon={<ArrowDown size={14} />}
        name={en.queue.down}
        aria-disabled={onDown === null}
        onClick={() => onDown?.()}
      />
      <Button
        tone="quiet"
        icon={<Pencil size={14} />}
        name={en.queue.edit}
        // Back to where the editing began.
        autoFocus={wasEdited}
        onClick={() => setEdited(message.text)}
      />
      <Button tone="quiet" icon={<X size={14} />} name={en.queue.remove} onClick={onRemove} />
    </li>
  );
}

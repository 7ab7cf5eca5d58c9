/** Below a message that Codex does not have: why, and what can be done about it. */
import { Pencil, RotateCw, TriangleAlert } from 'lucide-react';
import type { EntryOf } from '../../contract/entry.ts';
import type { MessageDelivery } from '../../core/conversations/reduce-deliveries.ts';
import { speakerOf } from '../../core/events/render-speaker.ts';
import type { AppState } from '../state/store.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import { showText } from './ansi.ts';
import styles from './NotDelivered.module.css';

interface NotDeliveredProps {
  readonly entry: EntryOf<'user'>;
  readonly delivery: MessageDelivery;
}

export function NotDelivered({ entry, delivery }: NotDeliveredProps) {
  const repetition = useApp((state) => repetitionOf(state, entry.client_message_id));
  // What Signalbox sent for an event is no message of the person's.
  const isOfPerson = speakerOf(entry.client_message_id) === 'person';
  return (
    <div className={styles.box}>
      <TriangleAlert size={16} aria-hidden />
      <p className={styles.text}>
        <strong>{en.message.notDelivered}</strong> {showText(delivery.text ?? en.message.notDeliveredWhy)}
        {repetition === 'queued' && ` ${en.message.queuedAgain}`}
      </p>
      {isOfPerson && repetition !== 'queued' && (
        <Acts entry={entry} canRepeat={delivery.repeated === 'no'} isBusy={repetition === 'sending'} />
      )}
    </div>
  );
}

interface ActsProps {
  readonly entry: EntryOf<'user'>;
  /** False where nobody knows whether it was sent again already. */
  readonly canRepeat: boolean;
  readonly isBusy: boolean;
}

function Acts({ entry, canRepeat, isBusy }: ActsProps) {
  const openId = useApp((state) => state.openId);
  const { sendAgain, editAgain } = useCommands();
  if (openId === null) return null;

  function repeat(id: string): void {
    if (isBusy) return;
    void sendAgain(id, entry);
    // The button goes away with the message; on a touch screen the focus would open the keyboard.
    if (matchMedia('(hover: hover)').matches) document.getElementById('composer')?.focus({ preventScroll: true });
  }

  return (
    <span className={styles.acts}>
      {canRepeat && (
        <Button aria-disabled={isBusy} onClick={() => repeat(openId)}>
          <RotateCw size={14} aria-hidden />
          {en.message.sendAgain}
        </Button>
      )}
      <Button aria-disabled={isBusy} onClick={() => !isBusy && editAgain(openId, entry)}>
        <Pencil size={14} aria-hidden />
        {en.message.edit}
      </Button>
    </span>
  );
}

/** Where the repetition is that this page sent of a message. */
function repetitionOf({ repeats, outbox, meta }: AppState, id: string | undefined): 'none' | 'sending' | 'queued' {
  const repeat = id === undefined ? undefined : repeats.get(id);
  if (repeat === undefined) return 'none';
  if (outbox.some((one) => one.clientMessageId === repeat)) return 'sending';
  return meta?.queue.some((one) => one.client_message_id === repeat) === true ? 'queued' : 'none';
}

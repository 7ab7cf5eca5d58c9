/** What the person said, and what the agent answered. */
import { Ellipsis, ImageIcon } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { EntryOf, ItemEnd } from '../../contract/entry.ts';
import { useMessageActions } from '../conversations/message-actions.ts';
import { linkFiles } from '../files/FileText.tsx';
import { Markdown } from '../markdown/Markdown.tsx';
import { cutPieces, Piece } from '../markdown/Pieces.tsx';
import { renderPlace } from '../route.ts';
import { useApp } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { formatClock, formatExact, projectName } from '../ui/format.ts';
import { Menu } from '../ui/Menu.tsx';
import { showText } from './ansi.ts';
import styles from './MessageCard.module.css';

interface UserCardProps {
  readonly speaker?: 'person' | 'event';
  readonly text: string;
  readonly images: EntryOf<'user'>['images'];
  readonly ts: string | null;
  /** Of the entry, once there is one: its time is then a link to it. */
  readonly seq?: number | undefined;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  /** What went along. */
  readonly context?: ReactNode;
  /** What became of the message, where that is worth saying. */
  readonly outcome?: ReactNode;
}

export function UserCard(props: UserCardProps) {
  const { speaker = 'person', text, images = [], ts, seq, note, actions, context, outcome } = props;
  return (
    <div className={styles.user}>
      <div className={styles.who}>
        <h2 className={styles.name}>{speaker === 'event' ? en.events.speaker : en.transcript.you}</h2>
        {note}
        {actions}
        {ts !== null && <Time ts={ts} seq={seq} />}
      </div>
      {text !== '' && <div className={styles.text}>{linkFiles(showText(text), false)}</div>}
      {images.length > 0 && (
        <div className={styles.images}>
          {images.map((image) => (
            <Picture key={image.value} image={image} />
          ))}
        </div>
      )}
      {context}
      {outcome}
    </div>
  );
}

function Time({ ts, seq }: { readonly ts: string; readonly seq: number | undefined }) {
  const openId = useApp((state) => state.openId);
  const time = (
    <time dateTime={ts} title={formatExact(ts)}>
      {formatClock(ts)}
    </time>
  );
  if (seq === undefined || openId === null) return time;
  return (
    <a className={styles.time} href={renderPlace({ conversationId: openId, at: { kind: 'entry', seq } })}>
      {time}
    </a>
  );
}

/** Only what lies in the transcript itself is shown; an address is never fetched. */
function Picture({ image }: { readonly image: { readonly kind: string; readonly value: string } }) {
  if (image.kind === 'url' && /^data:image\/(?:png|jpeg|gif|webp);/.test(image.value)) {
    return <img src={image.value} alt="" className={styles.image} />;
  }
  return (
    <span className={styles.file}>
      <ImageIcon size={14} aria-hidden />
      {image.value.startsWith('data:') ? en.transcript.images(1) : showText(projectName(image.value))}
    </span>
  );
}

interface AssistantCardProps {
  readonly text: string;
  readonly status: 'running' | ItemEnd;
  readonly questions?: EntryOf<'assistant'>['questions'];
}

export function AssistantCard({ text, status, questions = [] }: AssistantCardProps) {
  const isMarkdown = useApp((state) => state.meta?.markdown ?? true);
  return (
    <div className={styles.assistant}>
      {isMarkdown ? <Markdown text={text} isLive={status === 'running'} /> : <PlainText text={text} />}
      {questions.map((question) => (
        <div key={question.title} className={styles.question}>
          <strong>{showText(question.title)}</strong>
          <span>{showText(question.options.join(' · '))}</span>
        </div>
      ))}
      {(status === 'interrupted' || status === 'failed') && <div className={styles.cut}>{en.itemEnd[status]}</div>}
      {status !== 'running' && <CopyButton text={text} className={styles.copy} />}
    </div>
  );
}

/** Pieces of a few KB, so that a growing text is not laid out whole. */
const PlainText = memo(function PlainText({ text }: { readonly text: string }) {
  return (
    <div className={styles.text}>
      {cutPieces(text).map((piece, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
        <Piece key={at} text={piece} />
      ))}
    </div>
  );
});

/** What can be done from a message, beside its time. */
export function MessageActions({ entry }: { readonly entry: Parameters<typeof useMessageActions>[0] }) {
  const actions = useMessageActions(entry);
  const fork = actions.find((one) => one.key === 'fork');
  const others = actions.filter((one) => one !== fork);
  if (fork === undefined) return null;
  return (
    <span className={styles.actions}>
      <button type="button" className={styles.action} disabled={fork.isDisabled} title={fork.hint} onClick={fork.run}>
        {fork.label}
      </button>
      {/* Behind a menu that says what it does: a fork leaves everything as it is, an edit does not. */}
      {others.length > 0 && (
        <Menu
          name={en.message.more}
          className={styles.more}
          trigger={<Ellipsis size={14} aria-hidden />}
          groups={[
            {
              items: others.map((one) => ({
                ...one,
                hint: one.hint ?? (one.key === 'revert' ? en.message.revertHint : undefined),
              })),
            },
          ]}
        />
      )}
    </span>
  );
}

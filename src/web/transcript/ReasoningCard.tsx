/** What the model thought, consecutive pieces in one: a line until opened, or a few words of it while it happens. */
import { Markdown } from '../markdown/Markdown.tsx';
import { en } from '../strings/en.ts';
import { Disclosure } from '../ui/Disclosure.tsx';
import { formatDuration } from '../ui/format.ts';
import styles from './ReasoningCard.module.css';
import type { Row } from './rows.ts';
import { useOpen } from './use-open.ts';

export function ReasoningCard({ row }: { readonly row: Extract<Row, { kind: 'reasoning' }> }) {
  const isLive = row.live.length > 0;
  const [isOpen, toggle] = useOpen(row.key, false);
  const texts = [...row.entries, ...row.live].map((one) => one.text);
  return (
    <Disclosure
      edge="none"
      isOpen={isOpen}
      onToggle={toggle}
      head={isLive ? <Thinking text={texts.at(-1) ?? ''} /> : title(row.durationMs)}
    >
      <div className={styles.text}>
        <Markdown text={texts.join('\n\n')} isLive={isLive} isQuiet />
      </div>
    </Disclosure>
  );
}

function title(durationMs: number | null): string {
  if (durationMs === null || durationMs < 1_000) return en.transcript.thought;
  return en.transcript.thoughtFor(formatDuration(durationMs));
}

/** Models begin each thought with a bold line: that is what it is about. */
function Thinking({ text }: { readonly text: string }) {
  const topic = [...text.matchAll(/\*\*([^*\n]+)\*\*/g)].at(-1)?.[1];
  return <span className={styles.thinking}>{topic ?? en.transcript.thinking}</span>;
}

/** A call of a tool: what it was given and what it gave back. */
import type { EntryOf, ItemEnd } from '../../contract/entry.ts';
import { linkFiles } from '../files/FileText.tsx';
import { en } from '../strings/en.ts';
import { Disclosure } from '../ui/Disclosure.tsx';
import { formatCount, formatDuration } from '../ui/format.ts';
import { showExact, stripAnsi } from './ansi.ts';
import { Elapsed } from './Elapsed.tsx';
import { readableJson } from './readable-json.ts';
import styles from './ToolCard.module.css';
import { useAsking } from './use-asking.ts';
import { useOpen } from './use-open.ts';

export interface ToolShown {
  readonly kind: EntryOf<'tool'>['kind'];
  readonly name: string;
  readonly server: string | undefined;
  readonly input: string;
  readonly output: string;
  readonly omitted: number;
  readonly error: string | undefined;
  readonly status: 'running' | ItemEnd;
  readonly durationMs: number | null;
  readonly startedAtMs: number;
  readonly itemId: string | undefined;
}

export function ToolCard({ rowKey, shown }: { readonly rowKey: string; readonly shown: ToolShown }) {
  const isFailed = shown.status === 'failed' || shown.status === 'declined' || shown.error !== undefined;
  const [isOpen, toggle] = useOpen(rowKey, isFailed);
  const isAsking = useAsking(shown.itemId);
  const name = shown.server === undefined ? shown.name : en.transcript.tool(shown.server, shown.name);
  return (
    <Disclosure
      isOpen={isOpen}
      onToggle={toggle}
      edge={isFailed ? 'stop' : 'accent'}
      head={
        <>
          <span className={styles.kind}>{en.toolKinds[shown.kind] ?? en.toolKinds.unknown}</span>
          <code>{showExact(name)}</code>
          {shown.input !== '' && <code className={styles.brief}>{showExact(shown.input.replace(/\s+/g, ' '))}</code>}
        </>
      }
      facts={
        <>
          {isAsking && <span className={styles.asking}>{en.transcript.waitsForYou}</span>}
          {shown.status === 'running' && !isAsking && <Elapsed sinceMs={shown.startedAtMs} />}
          {shown.status !== 'running' && shown.status !== 'completed' && (
            <span className={styles.bad}>{en.itemEnd[shown.status]}</span>
          )}
          {shown.durationMs !== null && <span>{formatDuration(shown.durationMs)}</span>}
        </>
      }
    >
      {shown.input !== '' && <Part name={en.transcript.input} text={readableJson(shown.input)} />}
      {shown.output !== '' && <Part name={en.transcript.output} text={readableJson(stripAnsi(shown.output))} />}
      {shown.omitted > 0 && <div className={styles.label}>{en.transcript.omitted(formatCount(shown.omitted))}</div>}
      {shown.error !== undefined && <pre className={styles.error}>{showExact(shown.error)}</pre>}
    </Disclosure>
  );
}

function Part({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div className={styles.part}>
      <div className={styles.label}>{name}</div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={styles.text} tabIndex={0}>
        {linkFiles(showExact(text), false)}
      </pre>
    </div>
  );
}

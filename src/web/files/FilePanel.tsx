/** A file of the conversation's directory, read only: its lines with colors, the named one marked, and what can be done with the place. */
import { useEffect, useRef } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import type { ShownFile } from '../state/store.ts';
import { useApp } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { EN_FILES } from '../strings/en-files.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { formatCount } from '../ui/format.ts';
import { FileActs } from './FileActs.tsx';
import { FileLines } from './FileLines.tsx';
import styles from './FilePanel.module.css';
import { LocalImage } from './LocalImage.tsx';
import { type Loaded, useFile } from './use-file.ts';

export function FilePanel({ conversationId }: { readonly conversationId: ConversationId | null }) {
  const file = useApp((state) => state.shownFile);
  if (file === null || conversationId === null) return null;
  return <View key={`${file.path}:${file.count}`} conversationId={conversationId} file={file} />;
}

interface ViewProps {
  readonly conversationId: ConversationId;
  readonly file: ShownFile;
}

function View({ conversationId, file }: ViewProps) {
  const { state, loadEarlier, loadMore } = useFile(conversationId, file);
  const box = useRef<HTMLElement>(null);
  const isReady = state.status === 'ready';
  useEffect(() => {
    if (!isReady) return;
    box.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });
    box.current?.focus({ preventScroll: true });
  }, [isReady]);
  return (
    <section ref={box} className={styles.panel} aria-label={EN_FILES.label} tabIndex={-1}>
      <header className={styles.head}>
        <code className={styles.path}>{showName(isReady ? state.file.relativePath : file.path)}</code>
        {isReady && <Facts file={state.file} />}
      </header>
      {isReady && <FileActs conversationId={conversationId} file={state.file} line={file.line} />}
      {state.status === 'loading' && <p className={styles.note}>{en.loading}</p>}
      {state.status === 'failed' && (
        <p className={styles.note} role="alert">
          {showName(state.message)}
        </p>
      )}
      {isReady && <Body file={state.file} line={file.line} onEarlier={loadEarlier} onMore={loadMore} />}
    </section>
  );
}

function Facts({ file }: { readonly file: Loaded }) {
  return (
    <span className={styles.facts}>
      {file.totalLines !== null && <span>{EN_FILES.lines(file.totalLines)}</span>}
      <span>{EN_FILES.bytes(formatCount(file.size))}</span>
    </span>
  );
}

interface BodyProps {
  readonly file: Loaded;
  readonly line: number | null;
  readonly onEarlier: () => void;
  readonly onMore: () => void;
}

function Body({ file, line, onEarlier, onMore }: BodyProps) {
  if (file.kind === 'binary') return <p className={styles.note}>{EN_FILES.binary}</p>;
  if (file.kind === 'image') {
    return (
      <div className={styles.image}>
        <LocalImage file={{ path: file.path, line: null }} alt={showName(file.relativePath)} />
      </div>
    );
  }
  if (file.lines.length === 0) return <p className={styles.note}>{EN_FILES.empty}</p>;
  const end = file.fromLine + file.lines.length - 1;
  const hasMore = file.totalLines === null || end < file.totalLines;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className={styles.scroll} tabIndex={0}>
      {file.fromLine > 1 && (
        <Button tone="quiet" onClick={onEarlier}>
          {EN_FILES.earlier(file.fromLine - 1)}
        </Button>
      )}
      {file.isCut && <p className={styles.note}>{EN_FILES.cut}</p>}
      <FileLines path={file.path} fromLine={file.fromLine} lines={file.lines} here={line} />
      {hasMore && (
        <Button tone="quiet" onClick={onMore}>
          {EN_FILES.more}
        </Button>
      )}
    </div>
  );
}

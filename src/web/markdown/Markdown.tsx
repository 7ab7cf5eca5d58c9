/**
 * Model text as segments of blocks. Only the last segment is looked at again while it streams, and of it only the last
 * block; segments far from view are held by their height.
 */
import { memo, useRef } from 'react';
import { cutSegments, NO_SEGMENTS, type Segments } from '../../markdown/cut-segments.ts';
import { isPlain } from '../../markdown/lex-blocks.ts';
import { type BlockList, NO_BLOCKS, splitBlocks } from '../../markdown/split-blocks.ts';
import { classes } from '../ui/classes.ts';
import styles from './Markdown.module.css';
import { MarkdownBlock } from './MarkdownBlock.tsx';
import { PlainBlock } from './PlainBlock.tsx';
import { useNear } from './use-near.ts';

interface MarkdownProps {
  readonly text: string;
  readonly isLive?: boolean;
  readonly isQuiet?: boolean;
}

/** An answer opens at its end: that much is there with the first paint. */
const SHOWN_AT_FIRST = 3;

export const Markdown = memo(function Markdown({ text, isLive = false, isQuiet = false }: MarkdownProps) {
  const list = useRef<Segments>(NO_SEGMENTS);
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  list.current = cutSegments(list.current, lines);
  const { starts, tooLong, isLastTooLong } = list.current;
  return (
    <div className={classes(styles.markdown, isQuiet && styles.quiet, isLive && styles.live)}>
      {starts.map((start, at) => (
        <Segment
          key={start}
          start={start}
          text={lines.slice(start, starts[at + 1])}
          isTooLong={at === starts.length - 1 ? isLastTooLong : tooLong.has(start)}
          isLast={at === starts.length - 1}
          isOpen={isLive && at === starts.length - 1}
          isShownAtFirst={isLive || at >= starts.length - SHOWN_AT_FIRST}
        />
      ))}
    </div>
  );
});

interface SegmentProps {
  readonly start: number;
  readonly text: string;
  readonly isTooLong: boolean;
  readonly isLast: boolean;
  readonly isOpen: boolean;
  readonly isShownAtFirst: boolean;
}

const Segment = memo(
  function Segment({ start, text, isTooLong, isLast, isOpen, isShownAtFirst }: SegmentProps) {
    const element = useRef<HTMLDivElement>(null);
    const { isNear, height } = useNear(element, !isLast, isShownAtFirst);
    return (
      <div
        ref={element}
        className={styles.segment}
        data-chunk={start}
        style={isNear ? undefined : { height: height ?? estimateHeight(text) }}
      >
        {isNear && (isTooLong ? <PlainBlock text={text} reason="too_long" /> : <Blocks text={text} isOpen={isOpen} />)}
      </div>
    );
  },
  (before, after) =>
    before.text === after.text &&
    before.isTooLong === after.isTooLong &&
    before.isLast === after.isLast &&
    before.isOpen === after.isOpen,
);

function Blocks({ text, isOpen }: { readonly text: string; readonly isOpen: boolean }) {
  const list = useRef<BlockList>(NO_BLOCKS);
  list.current = splitBlocks(list.current, text);
  const { finished, open } = list.current;
  const at = open[0]?.start;
  return [...finished, ...open].map(({ start, token }) =>
    isPlain(token) ? (
      <PlainBlock key={start} text={token.raw} reason={token.reason} />
    ) : (
      <MarkdownBlock key={start} token={token} isOpen={isOpen && start === at} />
    ),
  );
}

/** Roughly; put right before anybody sees it. */
function estimateHeight(text: string): number {
  return Math.ceil(text.length / 60) * 22;
}

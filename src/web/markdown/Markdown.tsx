/** Model text as blocks: finished ones are frozen, only the last is rendered again while it streams. */
import { memo, useRef } from 'react';
import { classes } from '../ui/classes.ts';
import { stripCitations } from './clean-text.ts';
import styles from './Markdown.module.css';
import { MarkdownBlock } from './MarkdownBlock.tsx';
import { type Block, type BlockList, NO_BLOCKS, splitBlocks } from './split-blocks.ts';

interface MarkdownProps {
  readonly text: string;
  readonly isLive?: boolean;
  readonly isQuiet?: boolean;
}

/** Few enough that one chunk is a screen or two, many enough that a long answer has few of them. */
const CHUNK_BLOCKS = 16;

export function Markdown({ text, isLive = false, isQuiet = false }: MarkdownProps) {
  const list = useRef<BlockList>(NO_BLOCKS);
  list.current = splitBlocks(list.current, stripCitations(text));
  const { finished, open } = list.current;
  const whole = Math.floor(finished.length / CHUNK_BLOCKS);
  const chunks = Array.from({ length: whole }, (_, at) => finished.slice(at * CHUNK_BLOCKS, (at + 1) * CHUNK_BLOCKS));
  return (
    <div className={classes(styles.markdown, isQuiet && styles.quiet, isLive && styles.live)}>
      {chunks.map((blocks) => (
        <Chunk key={blocks[0]?.start} blocks={blocks} />
      ))}
      <div className={styles.chunk}>
        {[...finished.slice(whole * CHUNK_BLOCKS), ...open].map((block) => (
          <MarkdownBlock key={block.start} token={block.token} />
        ))}
      </div>
    </div>
  );
}

/** Full, so it never changes again: neither rendered nor, when out of view, laid out or painted. */
const Chunk = memo(
  function Chunk({ blocks }: { readonly blocks: readonly Block[] }) {
    return (
      <div className={classes(styles.chunk, styles.frozen)} data-chunk={blocks[0]?.start}>
        {blocks.map((block) => (
          <MarkdownBlock key={block.start} token={block.token} />
        ))}
      </div>
    );
  },
  (before, after) => before.blocks.every((block, at) => block === after.blocks[at]),
);

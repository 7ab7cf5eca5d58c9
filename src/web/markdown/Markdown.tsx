/** Model text as blocks: finished ones are frozen, only the last is rendered again while it streams. */
import { useRef } from 'react';
import { classes } from '../ui/classes.ts';
import { stripCitations } from './clean-text.ts';
import styles from './Markdown.module.css';
import { MarkdownBlock } from './MarkdownBlock.tsx';
import { type BlockList, NO_BLOCKS, splitBlocks } from './split-blocks.ts';

interface MarkdownProps {
  readonly text: string;
  readonly isLive?: boolean;
  readonly isQuiet?: boolean;
}

export function Markdown({ text, isLive = false, isQuiet = false }: MarkdownProps) {
  const list = useRef<BlockList>(NO_BLOCKS);
  list.current = splitBlocks(list.current, stripCitations(text));
  const { finished, open } = list.current;
  return (
    <div className={classes(styles.markdown, isQuiet && styles.quiet, isLive && styles.live)}>
      {finished.map((block) => (
        <MarkdownBlock key={block.start} token={block.token} />
      ))}
      {open.map((block) => (
        <MarkdownBlock key={block.start} token={block.token} />
      ))}
    </div>
  );
}

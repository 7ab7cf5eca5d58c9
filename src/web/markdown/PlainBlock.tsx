/** Text of a message that is shown as it was written, with the reason why it is not formatted. All of it is there. */
import { memo } from 'react';
import type { PlainReason } from '../../markdown/lex-blocks.ts';
import { en } from '../strings/en.ts';
import { cutPieces, Piece } from './Pieces.tsx';
import styles from './PlainBlock.module.css';

interface PlainBlockProps {
  readonly text: string;
  readonly reason: PlainReason;
}

export const PlainBlock = memo(function PlainBlock({ text, reason }: PlainBlockProps) {
  return (
    <div className={styles.plain} data-plain={reason}>
      <p className={styles.notice}>{en.markdown.plain[reason]}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className={styles.text} tabIndex={0}>
        {cutPieces(text).map((piece, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
          <Piece key={at} text={piece} />
        ))}
      </div>
    </div>
  );
});

/** A block of code with its language and a copy button. Long text is several boxes, so that a growing one stays cheap. */

import { CopyButton } from '../ui/CopyButton.tsx';
import styles from './CodeBlock.module.css';
import { useHighlight } from './highlight.ts';
import { cutPieces, Piece } from './Pieces.tsx';
import { Runs } from './Runs.tsx';

interface CodeBlockProps {
  readonly text: string;
  readonly lang: string;
  readonly isOpen: boolean;
}

export function CodeBlock({ text, lang, isOpen }: CodeBlockProps) {
  const name = lang.split(/\s/, 1)[0] ?? '';
  const runs = useHighlight(text, name.toLowerCase(), !isOpen);
  return (
    <figure className={styles.block}>
      <figcaption className={styles.head}>
        <span>{name}</span>
        <CopyButton text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={styles.code} tabIndex={0}>
        <code>
          {runs === null ? (
            cutPieces(text).map((piece, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
              <Piece key={at} text={piece} />
            ))
          ) : (
            <Runs runs={runs} />
          )}
        </code>
      </pre>
    </figure>
  );
}

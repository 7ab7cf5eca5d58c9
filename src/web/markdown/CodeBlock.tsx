/** A block of code with its language and a copy button. Long text is several text nodes, so that a growing one stays cheap. */

import { showText } from '../transcript/ansi.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import styles from './CodeBlock.module.css';

/** One text node is laid out whole when it changes: 4 KB pieces keep a 200 KB block streaming. */
const PIECE_CHARS = 4_096;

export function CodeBlock({ text, lang }: { readonly text: string; readonly lang: string }) {
  const name = lang.split(/\s/, 1)[0] ?? '';
  return (
    <figure className={styles.block}>
      <figcaption className={styles.head}>
        <span>{name}</span>
        <CopyButton text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={styles.code} tabIndex={0}>
        <code>{pieces(text)}</code>
      </pre>
    </figure>
  );
}

function pieces(text: string): string | string[] {
  if (text.length <= PIECE_CHARS) return showText(text);
  const all: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + PIECE_CHARS;
    const next = isLowSurrogate(text.charCodeAt(end)) ? end + 1 : end;
    all.push(showText(text.slice(at, next)));
    at = next;
  }
  return all;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** A formula: its source until the renderer is loaded and has made it, and where it cannot be made. */
import { lazy, Suspense } from 'react';
import { showText } from '../transcript/ansi.ts';
import styles from './Markdown.module.css';

const MathView = lazy(async () => ({ default: (await import('./MathView.tsx')).MathView }));

interface FormulaProps {
  /** With its delimiters, as it was written. */
  readonly raw: string;
  readonly tex: string;
  readonly isDisplay: boolean;
}

export function Formula({ raw, tex, isDisplay }: FormulaProps) {
  const source = <code>{showText(raw)}</code>;
  const math = (
    <Suspense fallback={source}>
      <MathView tex={tex} isDisplay={isDisplay} fallback={source} />
    </Suspense>
  );
  if (!isDisplay) return math;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className={styles.display} tabIndex={0}>
      {math}
    </div>
  );
}

/** A Mermaid block: its source, and the drawing on demand. */
import { useRef, useState } from 'react';
import { EN_DIAGRAMS } from '../strings/en-diagrams.ts';
import { Button } from '../ui/Button.tsx';
import { CodeBlock } from './CodeBlock.tsx';
import styles from './Diagram.module.css';
import { drawDiagram } from './draw-diagram.ts';

type Drawing =
  | { readonly status: 'source' | 'drawing' | 'failed' }
  | { readonly status: 'drawn'; readonly image: string };

export function Diagram({ text }: { readonly text: string }) {
  const [drawing, setDrawing] = useState<Drawing>({ status: 'source' });
  const frame = useRef<HTMLDivElement>(null);

  async function draw(): Promise<void> {
    if (frame.current === null) return;
    const { color, backgroundColor } = getComputedStyle(frame.current);
    setDrawing({ status: 'drawing' });
    const image = await drawDiagram(text, { fg: color, bg: backgroundColor });
    setDrawing(image === null ? { status: 'failed' } : { status: 'drawn', image });
  }

  return (
    <div ref={frame} className={styles.frame}>
      {drawing.status === 'drawn' ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <div className={styles.scroll} tabIndex={0}>
          <img src={drawing.image} alt={EN_DIAGRAMS.diagram} className={styles.image} />
        </div>
      ) : (
        <CodeBlock text={text} lang="mermaid" isOpen={false} />
      )}
      <div className={styles.acts}>
        {drawing.status === 'drawn' ? (
          <Button tone="quiet" onClick={() => setDrawing({ status: 'source' })}>
            {EN_DIAGRAMS.showSource}
          </Button>
        ) : (
          <Button tone="quiet" disabled={drawing.status === 'drawing'} onClick={() => void draw()}>
            {drawing.status === 'drawing' ? EN_DIAGRAMS.drawing : EN_DIAGRAMS.showDiagram}
          </Button>
        )}
        {drawing.status === 'failed' && <span role="status">{EN_DIAGRAMS.noDiagram}</span>}
      </div>
    </div>
  );
}

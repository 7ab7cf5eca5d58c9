/** Draws Mermaid diagrams away from the page's thread, without a document. Answers with an image of its own, never with markup for the page. */
import { renderMermaidSVG } from 'beautiful-mermaid';

export interface DiagramAsk {
  readonly text: string;
  /** Colors of the page. */
  readonly bg: string;
  readonly fg: string;
}

export interface DiagramAnswer {
  /** Null: this kind of diagram, or this text, cannot be drawn. */
  readonly svg: string | null;
}

/** The drawing names a font of another origin. An image loads nothing from elsewhere, but the name need not be there. */
function withoutImports(svg: string): string {
  const lines = svg.split('\n');
  return lines.filter((line) => !line.trimStart().startsWith('@import')).join('\n');
}

/**
 * The layout code takes a worker without a document for one of its own, and would answer our messages itself. It also hides `self` for a
 * moment and sets it again, which a worker does not allow.
 */
Object.defineProperties(self, { document: { value: {} }, self: { value: self, writable: true, configurable: true } });

function draw({ text, bg, fg }: DiagramAsk): string | null {
  try {
    return withoutImports(renderMermaidSVG(text, { bg, fg, font: 'system-ui' }));
  } catch {
    return null;
  }
}

self.onmessage = ({ data }: MessageEvent<DiagramAsk>) => {
  const answer: DiagramAnswer = { svg: draw(data) };
  self.postMessage(answer);
};

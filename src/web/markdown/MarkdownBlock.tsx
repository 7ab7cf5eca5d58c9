/**
 * One block of markdown as elements. Raw HTML stays text; images of other origins become links, since nothing may be fetched unasked;
 * names of files become links to the viewer.
 */
import type { MarkedToken, Token, Tokens } from 'marked';
import { Fragment, lazy, memo, type ReactNode, Suspense } from 'react';
import { type FileRef, fileOfHref } from '../../core/files/find-file-refs.ts';
import { decodeEntities, safeHref, stripCitations } from '../../markdown/clean-text.ts';
import { formulaAt } from '../../markdown/find-math.ts';
import { FileLink, linkFiles } from '../files/FileText.tsx';
import { en } from '../strings/en.ts';
import { showText } from '../transcript/ansi.ts';
import { classes } from '../ui/classes.ts';
import { OutsideLink } from '../ui/OutsideLink.tsx';
import { CodeBlock } from './CodeBlock.tsx';
import { Formula } from './Formula.tsx';
import styles from './Markdown.module.css';

interface MarkdownBlockProps {
  readonly token: Token;
  /** It may still grow: then code is not colored yet. */
  readonly isOpen?: boolean;
}

export const MarkdownBlock = memo(function MarkdownBlock({ token, isOpen = false }: MarkdownBlockProps) {
  if (token.type === 'code') return <Code text={token.text} lang={token.lang ?? ''} isOpen={isOpen} />;
  return renderBlock(token);
});

const KNOWN: ReadonlySet<string> = new Set([
  'blockquote',
  'br',
  'checkbox',
  'code',
  'codespan',
  'def',
  'del',
  'em',
  'escape',
  'heading',
  'hr',
  'html',
  'image',
  'link',
  'list',
  'list_item',
  'paragraph',
  'space',
  'strong',
  'table',
  'text',
]);

function isKnown(token: Token): token is MarkedToken {
  return KNOWN.has(token.type);
}

function renderBlock(token: Token): ReactNode {
  if (!isKnown(token)) return <p>{shown(token.raw)}</p>;
  switch (token.type) {
    case 'heading': {
      const Heading = HEADINGS[Math.min(token.depth, 4) - 1] ?? 'h6';
      return <Heading>{renderInline(token.tokens)}</Heading>;
    }
    case 'paragraph':
      return <p>{renderInline(token.tokens)}</p>;
    case 'code':
      return <Code text={token.text} lang={token.lang ?? ''} isOpen={false} />;
    case 'blockquote':
      return <blockquote>{renderBlocks(token.tokens)}</blockquote>;
    case 'list':
      return <List token={token} />;
    case 'table':
      return <Table token={token} />;
    case 'hr':
      return <hr />;
    case 'space':
    case 'def':
    case 'checkbox':
      return null;
    case 'html':
      return <p>{shown(token.raw.trimEnd())}</p>;
    case 'text':
      return token.tokens === undefined ? linked(token.text) : renderInline(token.tokens);
    default:
      return <p>{renderInline([token])}</p>;
  }
}

/** The page has its own headings above these. */
const HEADINGS = ['h3', 'h4', 'h5', 'h6'] as const;

function keyed(tokens: readonly Token[], render: (token: Token) => ReactNode): ReactNode {
  let start = 0;
  return tokens.map((token) => {
    const key = start;
    start += Math.max(1, token.raw.length);
    return <Fragment key={key}>{render(token)}</Fragment>;
  });
}

const renderBlocks = (tokens: readonly Token[]): ReactNode => keyed(tokens, renderBlock);
/** `isInLink`: a link holds no other link. */
const renderInline = (tokens: readonly Token[], isInLink = false): ReactNode =>
  keyed(tokens, (token) => renderSpan(token, isInLink));

const shown = (text: string): string => showText(decodeEntities(stripCitations(text)));
const linked = (text: string): ReactNode => linkFiles(shown(text), false);

function renderSpan(token: Token, isInLink: boolean): ReactNode {
  if (!isKnown(token)) return shown(token.raw);
  switch (token.type) {
    case 'strong':
      return <strong>{renderInline(token.tokens, isInLink)}</strong>;
    case 'em':
      return <em>{renderInline(token.tokens, isInLink)}</em>;
    case 'del':
      return <del>{renderInline(token.tokens, isInLink)}</del>;
    case 'codespan':
      return <code>{isInLink ? showText(token.text) : linkFiles(showText(token.text), true)}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Link href={token.href}>{renderInline(token.tokens, true)}</Link>;
    case 'image':
      return isInLink ? shown(token.text) : <Image href={token.href} alt={shown(token.text)} />;
    case 'escape': {
      const formula = formulaAt(token.raw);
      return formula === null ? showText(token.text) : <Formula {...formula} />;
    }
    case 'text':
      if (token.tokens !== undefined) return renderInline(token.tokens, isInLink);
      return isInLink ? shown(token.text) : linked(token.text);
    case 'checkbox':
      return null;
    default:
      return shown(token.raw);
  }
}

function Link({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const safe = safeHref(href);
  if (safe === null) {
    const file = fileOfHref(href);
    if (file !== null) return <FileLink file={file}>{children}</FileLink>;
    return <span title={showText(href)}>{children}</span>;
  }
  return (
    <OutsideLink href={safe} title={safe}>
      {children}
    </OutsideLink>
  );
}

const Diagram = lazy(async () => ({ default: (await import('./Diagram.tsx')).Diagram }));

interface CodeProps {
  readonly text: string;
  readonly lang: string;
  readonly isOpen: boolean;
}

/** Code, or what code of this language stands for once the block is complete. */
function Code({ text, lang, isOpen }: CodeProps) {
  const plain = <CodeBlock text={text} lang={lang} isOpen={isOpen} />;
  if (isOpen) return plain;
  if (lang === 'math') return <Formula raw={text} tex={text} isDisplay />;
  if (lang !== 'mermaid') return plain;
  return (
    <Suspense fallback={plain}>
      <Diagram text={text} />
    </Suspense>
  );
}

const LocalImage = lazy(async () => ({ default: (await import('../files/LocalImage.tsx')).LocalImage }));

/** An image of the project is shown; one of another origin is a link. */
function Image({ href, alt }: { readonly href: string; readonly alt: string }) {
  const file: FileRef | null = safeHref(href) === null ? fileOfHref(href) : null;
  if (file === null) return <Link href={href}>{`🖼 ${alt || href}`}</Link>;
  return (
    <Suspense fallback={alt}>
      <LocalImage file={file} alt={alt} />
    </Suspense>
  );
}

function List({ token }: { readonly token: Tokens.List }) {
  const items = keyed(token.items, (item) => <Item item={item} />);
  if (token.ordered) return <ol start={token.start === '' ? 1 : token.start}>{items}</ol>;
  return <ul>{items}</ul>;
}

function Item({ item }: { readonly item: Token }) {
  if (!isKnown(item) || item.type !== 'list_item') return null;
  return (
    <li className={classes(item.task && styles.task)}>
      {item.task && <span className={styles.box}>{item.checked ? '☑' : '☐'}</span>}
      <div className={styles.item}>{renderBlocks(item.tokens)}</div>
    </li>
  );
}

function Table({ token }: { readonly token: Tokens.Table }) {
  const alignment = (at: number) => styles[token.align[at] ?? 'left'];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={en.transcript.table}>
      <table>
        <thead>
          <tr>
            {token.header.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
              <th key={at} scope="col" className={alignment(at)}>
                {renderInline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
            <tr key={line}>
              {row.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                <td key={at} className={alignment(at)}>
                  {renderInline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

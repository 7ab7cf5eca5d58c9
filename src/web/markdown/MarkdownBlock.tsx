/** One block of markdown as elements. Raw HTML stays text; images become links, since nothing may be fetched unasked. */
import type { MarkedToken, Token, Tokens } from 'marked';
import { Fragment, memo, type ReactNode } from 'react';
import { en } from '../strings/en.ts';
import { showText } from '../transcript/ansi.ts';
import { classes } from '../ui/classes.ts';
import { OutsideLink } from '../ui/OutsideLink.tsx';
import { CodeBlock } from './CodeBlock.tsx';
import { decodeEntities, safeHref, stripCitations } from './clean-text.ts';
import styles from './Markdown.module.css';

interface MarkdownBlockProps {
  readonly token: Token;
  /** It may still grow: then code is not colored yet. */
  readonly isOpen?: boolean;
}

export const MarkdownBlock = memo(function MarkdownBlock({ token, isOpen = false }: MarkdownBlockProps) {
  if (token.type === 'code') return <CodeBlock text={token.text} lang={token.lang ?? ''} isOpen={isOpen} />;
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
      return <CodeBlock text={token.text} lang={token.lang ?? ''} isOpen={false} />;
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
      return token.tokens === undefined ? shown(token.text) : renderInline(token.tokens);
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
const renderInline = (tokens: readonly Token[]): ReactNode => keyed(tokens, renderSpan);

const shown = (text: string): string => showText(decodeEntities(stripCitations(text)));

function renderSpan(token: Token): ReactNode {
  if (!isKnown(token)) return shown(token.raw);
  switch (token.type) {
    case 'strong':
      return <strong>{renderInline(token.tokens)}</strong>;
    case 'em':
      return <em>{renderInline(token.tokens)}</em>;
    case 'del':
      return <del>{renderInline(token.tokens)}</del>;
    case 'codespan':
      return <code>{showText(token.text)}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Link href={token.href}>{renderInline(token.tokens)}</Link>;
    case 'image':
      return <Link href={token.href}>{`🖼 ${shown(token.text) || token.href}`}</Link>;
    case 'escape':
      return showText(token.text);
    case 'text':
      return token.tokens === undefined ? shown(token.text) : renderInline(token.tokens);
    case 'checkbox':
      return null;
    default:
      return shown(token.raw);
  }
}

function Link({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const safe = safeHref(href);
  if (safe === null) return <span title={showText(href)}>{children}</span>;
  return (
    <OutsideLink href={safe} title={safe}>
      {children}
    </OutsideLink>
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

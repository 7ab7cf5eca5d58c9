/**
 * Markdown → HTML for documents that are read outside the page. Every character of the text is escaped and every element is one of
 * those below, so no text can add markup, a script or something that is loaded. Text beyond the limits of the lexer is shown plain.
 */
import type { MarkedToken, Token, Tokens } from 'marked';
import { escapeHtml } from '../core/text/escape-html.ts';
import { decodeEntities, safeHref, stripCitations } from './clean-text.ts';
import { cutSegments, NO_SEGMENTS } from './cut-segments.ts';
import { type BlockToken, isPlain } from './lex-blocks.ts';
import { NO_BLOCKS, splitBlocks } from './split-blocks.ts';

export function renderMarkdownHtml(text: string): string {
  const { starts, tooLong, isLastTooLong } = cutSegments(NO_SEGMENTS, text);
  return starts
    .map((start, at) => {
      const segment = text.slice(start, starts[at + 1]);
      const isPlainSegment = tooLong.has(start) || (at === starts.length - 1 && isLastTooLong);
      return isPlainSegment ? plain(segment) : renderSegment(segment);
    })
    .join('');
}

function renderSegment(text: string): string {
  const { finished, open } = splitBlocks(NO_BLOCKS, text);
  return [...finished, ...open].map(({ token }) => renderTop(token)).join('');
}

const renderTop = (token: BlockToken): string => (isPlain(token) ? plain(token.raw) : renderBlock(token));

const plain = (text: string): string => element('pre', escapeHtml(text.trimEnd()));
const element = (name: string, inner: string): string => `<${name}>${inner}</${name}>\n`;
const span = (name: string, inner: string): string => `<${name}>${inner}</${name}>`;
const shown = (text: string): string => escapeHtml(decodeEntities(stripCitations(text)));

/** The document has its own headings above these. */
const HEADINGS = ['h3', 'h4', 'h5', 'h6'] as const;

/** marked types tokens of extensions as well; there are none here, and a token of an unknown type is shown as its source. */
const asKnown = (token: Token): MarkedToken => token as MarkedToken;

function renderBlock(token: Token): string {
  const known = asKnown(token);
  switch (known.type) {
    case 'heading':
      return element(HEADINGS[Math.min(known.depth, HEADINGS.length) - 1] ?? 'h6', renderInline(known.tokens));
    case 'paragraph':
      return element('p', renderInline(known.tokens));
    case 'code':
      return element('pre', span('code', escapeHtml(known.text)));
    case 'blockquote':
      return element('blockquote', renderBlocks(known.tokens));
    case 'list':
      return renderList(known);
    case 'table':
      return renderTable(known);
    case 'hr':
      return '<hr>\n';
    case 'space':
    case 'def':
    case 'checkbox':
      return '';
    case 'html':
      return element('p', shown(known.raw.trimEnd()));
    case 'text':
      return known.tokens === undefined ? shown(known.text) : renderInline(known.tokens);
    default:
      return element('p', renderInline([known]));
  }
}

const renderBlocks = (tokens: readonly Token[]): string => tokens.map(renderBlock).join('');
const renderInline = (tokens: readonly Token[]): string => tokens.map(renderSpan).join('');

function renderSpan(token: Token): string {
  const known = asKnown(token);
  switch (known.type) {
    case 'strong':
    case 'em':
    case 'del':
      return span(known.type, renderInline(known.tokens));
    case 'codespan':
      return span('code', escapeHtml(known.text));
    case 'br':
      return '<br>';
    case 'link':
      return renderLink(known.href, renderInline(known.tokens));
    // An image is never loaded: the document loads nothing.
    case 'image':
      return renderLink(known.href, shown(known.text) || escapeHtml(known.href));
    case 'escape':
      return escapeHtml(known.text);
    case 'text':
      return known.tokens === undefined ? shown(known.text) : renderInline(known.tokens);
    case 'checkbox':
      return '';
    default:
      return shown(known.raw);
  }
}

function renderLink(href: string, inner: string): string {
  const safe = safeHref(href);
  if (safe === null) return inner;
  const address = escapeHtml(safe);
  return `<a href="${address}" title="${address}" rel="noopener noreferrer">${inner}</a>`;
}

function renderList(token: Tokens.List): string {
  const items = token.items.map((item) => {
    const box = item.task ? `${item.checked ? '☑' : '☐'} ` : '';
    return `<li>${box}${renderBlocks(item.tokens)}</li>\n`;
  });
  if (!token.ordered) return element('ul', items.join(''));
  const start = Number(token.start);
  return `<ol${Number.isSafeInteger(start) && start !== 1 ? ` start="${start}"` : ''}>${items.join('')}</ol>\n`;
}

function renderTable(token: Tokens.Table): string {
  const row = (name: 'th' | 'td', cells: readonly Tokens.TableCell[]): string =>
    element('tr', cells.map((cell) => span(name, renderInline(cell.tokens))).join(''));
  const body = token.rows.map((cells) => row('td', cells)).join('');
  return `<div class="table"><table>${span('thead', row('th', token.header))}${span('tbody', body)}</table></div>\n`;
}

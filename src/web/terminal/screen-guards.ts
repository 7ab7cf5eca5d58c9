/** What a program may not do through the terminal: read the clipboard, open anything unseen, or have old questions answered again. */
import type { Terminal } from '@xterm/xterm';
import { type FileRef, findFileRefs } from '../../core/files/find-file-refs.ts';
import { findLinks, isWebAddress } from './find-links.ts';

/** Something a person decides on after seeing it. */
export interface Ask {
  readonly kind: 'link' | 'clipboard';
  readonly text: string;
}

interface GuardPorts {
  readonly isReplaying: () => boolean;
  readonly onAsk: (ask: Ask) => void;
}

/** Status, attributes, modes and versions: each would write into the shell. */
const ASKING_CSI = [
  { final: 'c' },
  { prefix: '>', final: 'c' },
  { prefix: '=', final: 'c' },
  { final: 'n' },
  { prefix: '?', final: 'n' },
  { intermediates: '$', final: 'p' },
  { prefix: '?', intermediates: '$', final: 'p' },
  { prefix: '>', final: 'q' },
] as const;
/** Colors: `?` in place of a color asks for it. */
const ASKING_OSC = [4, 10, 11, 12] as const;
/** Larger than what anybody yanks on purpose. */
const MAX_CLIPBOARD_CHARS = 100_000;

export function guardQueries(terminal: Terminal, ports: GuardPorts): void {
  const { parser } = terminal;
  for (const id of ASKING_CSI) parser.registerCsiHandler(id, () => ports.isReplaying());
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, () => ports.isReplaying());
  for (const id of ASKING_OSC) parser.registerOscHandler(id, (text) => text.includes('?') && ports.isReplaying());
  parser.registerOscHandler(52, (text) => {
    const copied = copiedBy(text);
    if (copied !== null && !ports.isReplaying()) ports.onAsk({ kind: 'clipboard', text: copied });
    return true;
  });
}

/** What an `OSC 52` wants to put on the clipboard; null for one that wants to read it, or that is no text. */
function copiedBy(text: string): string | null {
  const coded = text.slice(text.indexOf(';') + 1);
  if (coded === '?' || coded === '' || coded.length > MAX_CLIPBOARD_CHARS) return null;
  try {
    const bytes = Uint8Array.from(atob(coded), (one) => one.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** An address is shown whole before it is opened, whatever text a program put over it. A name of a file opens in the viewer. */
export function offerLinks(terminal: Terminal, onAsk: (ask: Ask) => void, onFile: (file: FileRef) => void): void {
  terminal.registerLinkProvider({
    provideLinks: (y, tell) => {
      const line = terminal.buffer.active.getLine(y - 1)?.translateToString(true) ?? '';
      const links = findLinks(line).map(({ url, start, end }) => ({
        text: url,
        range: { start: { x: start + 1, y }, end: { x: end, y } },
        activate: () => {
          if (isWebAddress(url)) onAsk({ kind: 'link', text: url });
        },
      }));
      const files = findFileRefs(line).map(({ path, line: fileLine, start, end }) => ({
        text: path,
        range: { start: { x: start + 1, y }, end: { x: end, y } },
        activate: () => onFile({ path, line: fileLine }),
      }));
      const all = [...links, ...files];
      tell(all.length === 0 ? undefined : all);
    },
  });
}

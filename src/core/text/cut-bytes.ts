/** Cuts by bytes that keep both ends. Pure, so it counts UTF-8 itself. */
import { cutMiddle } from './cut.ts';

function bytesOf(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if (code >= 0xd800 && code < 0xdc00) {
      bytes += 4;
      at += 1;
    } else bytes += 3;
  }
  return bytes;
}

/** At most `maxBytes` of the text itself; what is left out is said in its middle. `omitted` is in bytes. */
export function cutBytes(text: string, maxBytes: number): { readonly text: string; readonly omitted: number } {
  const bytes = bytesOf(text);
  if (bytes <= maxBytes) return { text, omitted: 0 };
  // Characters first, as if each were one byte; then as many fewer as the rest is wider.
  let chars = Math.min(text.length, maxBytes);
  for (;;) {
    const cut = cutMiddle(text, chars);
    const kept = bytesOf(cut.text) - MARK_BYTES;
    if (kept <= maxBytes || chars <= 2) return { text: cut.text, omitted: bytes - Math.max(0, kept) };
    chars = Math.max(2, Math.floor(chars * Math.min(0.95, maxBytes / kept)));
  }
}

/** What `cutMiddle` puts between the ends, roughly: it is not counted against the text. */
const MARK_BYTES = 40;

/**
 * Paths of a repository as text. A path is bytes; text that is valid UTF-8 stands for itself. Other bytes, and a path that begins with a
 * quotation mark, are written as git quotes them: in quotation marks, with octal escapes. So every path has exactly one text.
 */

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export function pathText(bytes: Uint8Array): string {
  const plain = decode(bytes);
  return plain === null || plain.startsWith('"') ? quote(bytes) : plain;
}

/** Null for a text that no path has: an unknown escape, or no closing quotation mark. */
export function pathBytes(text: string): Uint8Array | null {
  return text.startsWith('"') ? unquote(text) : encoder.encode(text);
}

function decode(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

function quote(bytes: Uint8Array): string {
  let text = '"';
  for (const byte of bytes) {
    if (byte === QUOTE || byte === BACKSLASH) text += `\\${String.fromCharCode(byte)}`;
    else if (byte >= 0x20 && byte < 0x7f) text += String.fromCharCode(byte);
    else text += `\\${byte.toString(8).padStart(3, '0')}`;
  }
  return `${text}"`;
}

function unquote(text: string): Uint8Array | null {
  if (!/^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]|\\[0-3][0-7]{2})*"$/.test(text)) return null;
  const bytes: number[] = [];
  for (const [part] of text.slice(1, -1).matchAll(/\\[0-7]{3}|\\.|[^\\]/g)) {
    if (/^\\[0-7]/.test(part)) bytes.push(Number.parseInt(part.slice(1), 8));
    else bytes.push(part.charCodeAt(part.length - 1));
  }
  return Uint8Array.from(bytes);
}

/**
 * Whether a path may be written below the top of a work tree. Refused are paths that lead out of it and git's own folder, in every
 * spelling that some file system takes for `.git`.
 */
export function isSafePath(text: string): boolean {
  const bytes = pathBytes(text);
  if (bytes === null || bytes.length === 0 || bytes.includes(0)) return false;
  const parts = text.split('/');
  return parts.every((part) => part !== '' && part !== '.' && part !== '..' && !GIT_FOLDER.test(visible(part)));
}

const GIT_FOLDER = /^(\.git|git~1)[ .]*(:.*)?$/i;

/** Without the code points that HFS+ ignores in names. */
const visible = (part: string): string => part.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '');

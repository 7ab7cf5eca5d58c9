/** What our shell scripts say by their marks. A mark without the shell's own nonce was printed by somebody else and says nothing. */
import { NONCE_PATTERN } from './blank-nonces.ts';
import type { RawMark } from './scan-marks.ts';

export type Mark =
  /** The shell is about to show its prompt. From here on its marks carry `nextNonce`; null: the same nonce as before. */
  | { readonly kind: 'prompt'; readonly nextNonce: string | null }
  /** The text of the command that is about to run; null when the shell could not tell. */
  | { readonly kind: 'command'; readonly text: string | null }
  | { readonly kind: 'run' }
  | { readonly kind: 'done'; readonly exitCode: number | null }
  | { readonly kind: 'cwd'; readonly path: string };

export function readMark(raw: RawMark, nonce: string): Mark | null {
  if (raw.kind !== 'osc') return null;
  const fields = raw.payload.split(';');
  // Every mark of ours ends with the nonce.
  const given = fields.pop();
  if (nonce === '' || given !== nonce) return null;
  return raw.code === 133 ? readPrompt(fields) : readText(fields);
}

function readPrompt([letter, value]: readonly string[]): Mark | null {
  switch (letter) {
    case 'A':
      return { kind: 'prompt', nextNonce: value !== undefined && NONCE_PATTERN.test(value) ? value : null };
    case 'C':
      return { kind: 'run' };
    case 'D':
      return { kind: 'done', exitCode: /^\d{1,3}$/.test(value ?? '') ? Number(value) : null };
    default:
      return null;
  }
}

function readText([letter, value]: readonly string[]): Mark | null {
  if (letter === 'E')
    return { kind: 'command', text: value === undefined || value === '' ? null : unescapeText(value) };
  if (letter === 'P' && value?.startsWith('Cwd=')) return { kind: 'cwd', path: unescapeText(value.slice(4)) };
  return null;
}

/** `\\` and `\xHH`, as the scripts write what must not stand bare in a sequence. */
function unescapeText(text: string): string {
  return text.replace(/\\(?:\\|x([0-9a-fA-F]{2}))/g, (_all, hex?: string) =>
    hex === undefined ? '\\' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

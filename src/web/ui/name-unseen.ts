/**
 * Names control and direction characters, one character at a time. For text whose usual renderer failed: it shares no code with
 * that renderer.
 */
export function nameUnseen(text: string): string {
  let shown = '';
  for (const char of text) shown += isUnseen(char.codePointAt(0) ?? 0) ? `⟨U+${hex(char)}⟩` : char;
  return shown;
}

const NEWLINE = 0x0a;
const TAB = 0x09;

function isUnseen(code: number): boolean {
  if (code === NEWLINE || code === TAB) return false;
  return (
    code < 0x20 ||
    (code >= 0x7f && code <= 0x9f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069)
  );
}

function hex(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

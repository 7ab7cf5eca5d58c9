/** Text from people and other systems, made safe to wrap: no control characters but tab and newline, no half characters. */

export function cleanText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
    .toWellFormed();
}

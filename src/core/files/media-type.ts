/** What a file is, judged by its first bytes and never by its name: an image a browser may show, or bytes that are no text. Pure. */

/** Images that browsers decode without running anything. SVG is not among them: it is a document, and is shown as its source. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** Null: the bytes do not begin like an image of these kinds. */
export function imageTypeOf(head: Uint8Array): ImageType | null {
  if (hasBytes(head, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
  if (hasBytes(head, 0, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  if (hasText(head, 0, 'GIF87a') || hasText(head, 0, 'GIF89a')) return 'image/gif';
  if (hasText(head, 0, 'RIFF') && hasText(head, 8, 'WEBP')) return 'image/webp';
  return null;
}

/** A NUL byte is in nearly every binary file and in no text that an editor saves as UTF-8. */
export function isBinary(head: Uint8Array): boolean {
  return head.includes(0);
}

function hasBytes(head: Uint8Array, at: number, wanted: readonly number[]): boolean {
  return wanted.every((byte, index) => head[at + index] === byte);
}

function hasText(head: Uint8Array, at: number, wanted: string): boolean {
  return hasBytes(
    head,
    at,
    [...wanted].map((char) => char.charCodeAt(0)),
  );
}

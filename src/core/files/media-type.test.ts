/** First bytes of images and of other files. */
import { expect, test } from 'vitest';
import { imageTypeOf, isBinary } from './media-type.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from([...text].map((char) => char.charCodeAt(0)));

test('[FL23] an image is known by its first bytes', () => {
  expect(imageTypeOf(bytes('\x89PNG\r\n\x1a\nrest'))).toBe('image/png');
  expect(imageTypeOf(bytes('\xff\xd8\xff\xe0'))).toBe('image/jpeg');
  expect(imageTypeOf(bytes('GIF87a'))).toBe('image/gif');
  expect(imageTypeOf(bytes('GIF89a'))).toBe('image/gif');
  expect(imageTypeOf(bytes('RIFF1234WEBPVP8 '))).toBe('image/webp');
});

test('[FL23] SVG, HTML, other RIFF files and cut heads are no images', () => {
  for (const text of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<html>', 'RIFF1234WAVE', '\x89PNG', 'GIF88a', '']) {
    expect(imageTypeOf(bytes(text))).toBeNull();
  }
});

test('[FL22] bytes with a NUL are no text', () => {
  expect(isBinary(bytes('a\0b'))).toBe(true);
  expect(isBinary(bytes('plain text, even with \x1b[1m'))).toBe(false);
  expect(isBinary(new Uint8Array())).toBe(false);
});

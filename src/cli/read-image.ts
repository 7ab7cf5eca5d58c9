/** A picture file → what a message carries. The type is read from the bytes: a name can say anything. */
import { readFile, stat } from 'node:fs/promises';
import type { ImageInput } from '../contract/conversation.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { errorCode } from '../node/atomic-file.ts';

/** In base64 it fits the 12 MB that a message allows for one picture. */
const MAX_BYTES = 8 * 1024 * 1024;

const SIGNATURES: readonly (readonly [type: string, isOf: (bytes: Buffer) => boolean])[] = [
  ['image/png', (bytes) => bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))],
  ['image/jpeg', (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['image/gif', (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))],
  ['image/webp', (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'],
];

export async function readImages(files: readonly string[]): Promise<Result<ImageInput[]>> {
  const images: ImageInput[] = [];
  for (const file of files) {
    const image = await readImage(file);
    if (!image.ok) return image;
    images.push(image.value);
  }
  return ok(images);
}

async function readImage(file: string): Promise<Result<ImageInput>> {
  try {
    const { size } = await stat(file);
    if (size > MAX_BYTES)
      return fail('invalid_request', `${file} has ${Math.ceil(size / 1024 / 1024)} MB; a picture may have 8 MB`);
    const bytes = await readFile(file);
    const [type] = SIGNATURES.find(([, isOf]) => isOf(bytes)) ?? [];
    if (type === undefined) return fail('invalid_request', `${file} is no PNG, JPEG, GIF or WebP picture`);
    return ok({ kind: 'url', value: `data:${type};base64,${bytes.toString('base64')}` });
  } catch (error) {
    return fail('invalid_request', `${file} cannot be read: ${errorCode(error)}`);
  }
}

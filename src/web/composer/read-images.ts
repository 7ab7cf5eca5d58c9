/** Pasted, dropped or picked files → images to send. What is no image, or too large, is named and left out. */
import type { ImageInput } from '../../contract/conversation.ts';
import { en } from '../strings/en.ts';
import { projectName } from '../ui/format.ts';

export interface Attached {
  readonly key: string;
  readonly name: string;
  readonly image: ImageInput;
}

/** An image that was in a message already. */
export function attachedOf(image: ImageInput): Attached {
  const isInline = image.value.startsWith('data:');
  return { key: crypto.randomUUID(), name: isInline ? en.transcript.images(1) : projectName(image.value), image };
}

/** Base64 makes a third more of it; the server takes 12 MB a piece. */
const MAX_IMAGE_BYTES = 8 * 1024 * 1024;
const TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export interface ReadImages {
  readonly attached: readonly Attached[];
  readonly refused: readonly string[];
}

export async function readImages(files: Iterable<File>): Promise<ReadImages> {
  const attached: Attached[] = [];
  const refused: string[] = [];
  for (const file of files) {
    if (!TYPES.has(file.type)) refused.push(en.composer.notImage(file.name));
    else if (file.size > MAX_IMAGE_BYTES) refused.push(en.composer.imageTooBig(file.name));
    else
      attached.push({ key: crypto.randomUUID(), name: file.name, image: { kind: 'url', value: await dataUrl(file) } });
  }
  return { attached, refused };
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

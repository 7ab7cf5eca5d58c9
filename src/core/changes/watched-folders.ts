/** The folders of a list of files, each with the folders above it, those near the top first. Pure. */

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const SLASH = 0x2f;

/** `''` is the top. A folder whose name is no UTF-8 is left out: a watch needs a text. */
export function foldersOf(paths: readonly Uint8Array[]): readonly string[] {
  const found = new Set<string>(['']);
  for (const path of paths) {
    for (let end = path.lastIndexOf(SLASH); end > 0; end = path.lastIndexOf(SLASH, end - 1)) {
      const folder = textOf(path.subarray(0, end));
      if (folder === null || found.has(folder)) break;
      found.add(folder);
    }
  }
  const depth = (folder: string) => (folder === '' ? 0 : folder.split('/').length);
  return [...found].sort((one, other) => depth(one) - depth(other) || (one < other ? -1 : 1));
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** Words of the file viewer, which is loaded when the first file is shown. */
import { plural } from './plural.ts';

export const EN_FILES = {
  label: 'File',
  mention: 'Mention in message',
  copyPath: 'Copy path',
  openIn: (editor: string) => `Open in ${editor}`,
  editor: 'editor',
  choose: 'Choose editor',
  another: 'Another editor…',
  template: 'Address or command of the editor; {path} and {line} are filled in',
  templateHint: 'nvim +{line} {path}',
  unusable: 'This address cannot be opened from here.',
  lines: (count: number) => plural(count, 'line', 'lines'),
  bytes: (text: string) => `${text} bytes`,
  earlier: (count: number) => `Show ${count} lines above`,
  more: 'Show more lines',
  cut: 'Some of this is longer than can be shown; the rest is left out.',
  binary: 'This file is no text. Nothing of it is shown.',
  noImage: 'This image cannot be shown.',
  empty: 'This file is empty.',
} as const;

/** What a key or a button in the composer means. One rule: while a turn runs, what you type either joins it or waits for it. */
import type { MessageMode } from '../../contract/entry.ts';

export type Submit =
  | { readonly act: 'none' }
  | { readonly act: 'shell'; readonly command: string }
  | { readonly act: 'message'; readonly mode: MessageMode };

export interface SubmitInput {
  readonly text: string;
  readonly imageCount: number;
  readonly isRunning: boolean;
  readonly wantsQueue: boolean;
}

export function isShell(text: string): boolean {
  return text.startsWith('!');
}

export function planSubmit({ text, imageCount, isRunning, wantsQueue }: SubmitInput): Submit {
  if (isShell(text)) {
    const command = text.slice(1).trim();
    return command === '' ? { act: 'none' } : { act: 'shell', command };
  }
  if (text.trim() === '' && imageCount === 0) return { act: 'none' };
  if (!isRunning) return { act: 'message', mode: 'send' };
  return { act: 'message', mode: wantsQueue ? 'queue' : 'steer' };
}

export interface KeyInput {
  readonly key: string;
  readonly hasShift: boolean;
  readonly hasControl: boolean;
  readonly isComposing: boolean;
  /** A phone: its Enter is a new line, since it has no Shift to hold. */
  readonly isTouch: boolean;
}

export function enterMeans(input: KeyInput): 'submit' | 'queue' | 'newline' | 'nothing' {
  if (input.key !== 'Enter') return 'nothing';
  if (input.isComposing || input.hasShift) return 'newline';
  if (input.hasControl) return 'queue';
  return input.isTouch ? 'newline' : 'submit';
}

/** What the card of a command shows, whoever ran it and wherever. */
import type { EntryOf, ItemEnd } from '../../contract/entry.ts';
import type { BlockId } from '../../contract/terminal.ts';

export interface CommandShown {
  readonly command: string;
  readonly cwd: string;
  readonly output: string;
  readonly omitted: number;
  readonly exitCode: number | null;
  readonly durationMs: number | null;
  readonly status: 'running' | ItemEnd;
  readonly startedAtMs: number;
  readonly actions: EntryOf<'command'>['actions'];
  readonly isYours: boolean;
  readonly isCutAtStart: boolean;
  readonly turnId: string | undefined;
  readonly itemId: string | undefined;
  /** The block of the shared terminal it ran in. */
  readonly blockId: BlockId | undefined;
}

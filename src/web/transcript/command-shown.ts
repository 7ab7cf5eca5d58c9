/** What the card of a command shows, whoever ran it and wherever. */
import type { EntryOf, ItemEnd } from '../../contract/entry.ts';
import type { BlockId } from '../../contract/terminal.ts';

export interface CommandShown {
  readonly command: string;
  readonly cwd: string;
  readonly output: string;
  readonly omitted: number;
  /** Lines of the whole output where some were cut out; null where that is not known, or nothing was cut. */
  readonly printedLines: number | null;
  readonly exitCode: number | null;
  readonly durationMs: number | null;
  readonly status: 'running' | ItemEnd;
  /** The signal by which somebody here ended it. */
  readonly stoppedBy?: EntryOf<'command'>['stopped_by'];
  readonly startedAtMs: number;
  readonly actions: EntryOf<'command'>['actions'];
  readonly isYours: boolean;
  readonly isCutAtStart: boolean;
  readonly turnId: string | undefined;
  readonly itemId: string | undefined;
  /** The block of the shared terminal it ran in. */
  readonly blockId: BlockId | undefined;
}

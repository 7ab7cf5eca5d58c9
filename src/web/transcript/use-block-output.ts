/** The output of a command of the shared terminal: live while it runs, all that was kept on demand. */
import { useEffect, useMemo, useState } from 'react';
import { createLatest, type Latest } from '../state/latest.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import type { CommandShown } from './command-shown.ts';

interface BlockOutput {
  readonly output: string;
  /** All that was kept is shown. */
  readonly isWhole: boolean;
  /** Null where there is nothing more to fetch. */
  readonly showAll: (() => void) | null;
}

/** A card shows the last lines; the whole is a click away once the command has ended. */
const MAX_LIVE_CHARS = 256 * 1024;

export function useBlockOutput(shown: CommandShown, isOpen: boolean): BlockOutput {
  const { readWholeOutput, toast } = useCommands();
  const conversationId = useApp((state) => state.openId);
  const [whole, setWhole] = useState<string | null>(null);
  const { blockId } = shown;
  const isRunning = shown.status === 'running' && blockId !== undefined;
  const live = useLiveOutput(shown, isRunning && isOpen);

  async function showAll(): Promise<void> {
    if (conversationId === null || blockId === undefined) return;
    const read = await readWholeOutput(conversationId, blockId);
    if (read.ok) setWhole(read.value);
    else toast({ text: read.error.message, tone: 'error' });
  }

  return {
    output: isRunning ? live : (whole ?? shown.output),
    isWhole: whole !== null,
    showAll: blockId === undefined ? null : () => void showAll(),
  };
}

/** Reads on from where it was when the server says that there is more, while somebody looks. */
function useLiveOutput({ blockId }: CommandShown, isLooking: boolean): string {
  const { readOutput } = useCommands();
  const conversationId = useApp((state) => state.openId);
  const printed = useApp((state) =>
    state.printed !== null && state.printed.blockId === blockId ? state.printed.bytes : 0,
  );
  // What was printed while the link was away was told to nobody.
  const isSynchronized = useApp((state) => state.view.isSynchronized);
  const [text, setText] = useState('');
  const reader = useMemo(() => {
    if (!isLooking || conversationId === null || blockId === undefined) return null;
    let offset = 0;
    const read = async () => {
      const page = await readOutput(conversationId, blockId, offset);
      // Here and not when it is told: the next question may be asked before that.
      if (page.ok) offset = Math.max(offset, page.value.next_offset);
      return page;
    };
    const made: Latest<number> = createLatest(read, (page) => {
      if (!page.ok) return;
      const { text: more, offset: from, next_offset: next, total_bytes: total } = page.value;
      setText((before) => (from === 0 ? more : before + more).slice(-MAX_LIVE_CHARS));
      if (from < next && next < total) made.ask(total);
    });
    return made;
  }, [isLooking, conversationId, blockId, readOutput]);
  useEffect(() => reader?.forget, [reader]);
  useEffect(() => {
    if (isSynchronized) reader?.ask(printed);
  }, [reader, printed, isSynchronized]);
  return text;
}

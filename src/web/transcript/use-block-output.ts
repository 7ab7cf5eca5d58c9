/** The output of a command of the shared terminal: live while it runs, all that was kept on demand. */
import { useEffect, useState } from 'react';
import { useApp, useCommands } from '../state/use-app.ts';
import type { CommandShown } from './command-shown.ts';

interface BlockOutput {
  readonly output: string;
  /** All that was kept is shown. */
  readonly isWhole: boolean;
  /** Null where there is nothing more to fetch. */
  readonly showAll: (() => void) | null;
}

/** As often as an eye can follow; the terminal itself is live. */
const LOOK_MS = 300;
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

/** Reads on from where it was, while somebody looks. */
function useLiveOutput({ blockId }: CommandShown, isLooking: boolean): string {
  const { readOutput } = useCommands();
  const conversationId = useApp((state) => state.openId);
  const [text, setText] = useState('');
  useEffect(() => {
    if (!isLooking || conversationId === null || blockId === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    let offset = 0;
    setText('');
    const look = async (): Promise<void> => {
      const page = await readOutput(conversationId, blockId, offset);
      if (isGone) return;
      if (page.ok && page.value.text !== '') {
        offset = page.value.next_offset;
        setText((before) => (before + page.value.text).slice(-MAX_LIVE_CHARS));
      }
      timer = setTimeout(() => void look(), LOOK_MS);
    };
    void look();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [isLooking, conversationId, blockId, readOutput]);
  return text;
}

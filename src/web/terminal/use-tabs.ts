/** Which terminals a conversation has and which of them is shown; the choice outlives a reload of this browser tab. */
import { useCallback, useEffect, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import type { TerminalKey, TerminalTab } from '../../contract/terminal.ts';
import { useCommands } from '../state/use-app.ts';

/** Commands begin and end in terminals that are not shown. */
const REFRESH_MS = 2_000;
const STORED = 'signalbox.terminal.';

export interface Tabs {
  readonly all: readonly TerminalTab[];
  readonly chosen: TerminalKey;
  choose(key: TerminalKey): void;
  add(): void;
  /** False: a command runs in it, and it was left as it is. */
  remove(key: TerminalKey, endsCommand: boolean): Promise<boolean>;
}

export function useTabs(conversationId: ConversationId): Tabs {
  const { listTerminals, addTerminal, removeTerminal, toast } = useCommands();
  const [all, setAll] = useState<readonly TerminalTab[]>([]);
  const [chosen, setChosen] = useState<TerminalKey>(() => readChoice(conversationId));
  const choose = useCallback(
    (key: TerminalKey) => {
      setChosen(key);
      keepChoice(conversationId, key);
    },
    [conversationId],
  );
  const read = useCallback(async () => {
    const found = await listTerminals(conversationId);
    if (found === null) return;
    setAll((before) => (JSON.stringify(before) === JSON.stringify(found) ? before : found));
    // It was closed in another window.
    setChosen((key) => (found.some((one) => one.key === key) ? key : conversationId));
  }, [conversationId, listTerminals]);

  const hasSeveral = all.length > 1;
  useEffect(() => {
    void read();
    const onLook = () => {
      if (document.visibilityState === 'visible') void read();
    };
    document.addEventListener('visibilitychange', onLook);
    const timer = hasSeveral ? setInterval(onLook, REFRESH_MS) : undefined;
    return () => {
      document.removeEventListener('visibilitychange', onLook);
      clearInterval(timer);
    };
  }, [read, hasSeveral]);

  return {
    all,
    chosen,
    choose,
    add: () => {
      void addTerminal(conversationId).then(async (added) => {
        if (!added.ok) return toast({ text: added.error.message, tone: 'error' });
        setAll((before) => [...before.filter(({ key }) => key !== added.value.key), added.value]);
        choose(added.value.key);
        await read();
      });
    },
    async remove(key, endsCommand) {
      const failed = await removeTerminal(key, endsCommand);
      if (failed?.details?.reason === 'busy') return false;
      if (failed !== null) toast({ text: failed.message, tone: 'error' });
      const at = all.findIndex((one) => one.key === key);
      if (failed === null && key === chosen) choose(all[at - 1]?.key ?? conversationId);
      await read();
      return true;
    },
  };
}

/** A browser may forbid the store: then the shared terminal is shown first. */
function readChoice(id: ConversationId): TerminalKey {
  try {
    const stored = sessionStorage.getItem(STORED + id);
    return stored?.startsWith(id) ? stored : id;
  } catch {
    return id;
  }
}

function keepChoice(id: ConversationId, key: TerminalKey): void {
  try {
    sessionStorage.setItem(STORED + id, key);
  } catch {
    // Only the choice after a reload is lost.
  }
}

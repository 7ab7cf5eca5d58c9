/** The panel's state: the live list, the chosen shell and what it writes. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ShellView } from '../../contract/shellspec.ts';
import { useCommands } from '../state/use-app.ts';
import { showName } from '../transcript/ansi.ts';
import { appendPage, type LogBuffer, NO_LOG, prependPage } from './log-buffer.ts';
import { createShellsLink, type ShellsLink } from './shells-link.ts';

export interface ShellsState {
  /** Null until the list has come. */
  readonly shells: readonly ShellView[] | null;
  readonly isLost: boolean;
  readonly chosen: ShellView | null;
  readonly log: LogBuffer;
  choose(id: string | null): void;
  readEarlier(): Promise<void>;
  input(data: string): void;
}

export function useShells(): ShellsState {
  const [shells, setShells] = useState<readonly ShellView[] | null>(null);
  const [isLost, setLost] = useState(false);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [log, setLog] = useState<LogBuffer>(NO_LOG);
  const link = useRef<ShellsLink | null>(null);
  const shown = useRef<{ id: string | null; log: LogBuffer }>({ id: null, log: NO_LOG });
  const { readShellLogBefore, toast } = useCommands();

  useEffect(() => {
    let frame = 0;
    const show = (next: LogBuffer) => {
      shown.current.log = next;
      // Many pages of one moment are drawn once.
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setLog(shown.current.log));
    };
    const made = createShellsLink({
      onShells: (all) => setShells(all.map(withShownNames)),
      onLog: (id, page) => {
        if (id === shown.current.id) show(appendPage(shown.current.log, page));
      },
      onLost: setLost,
      onRefused: (text) => toast({ text, tone: 'error' }),
      cursor: () => (shown.current.log.from === null ? null : shown.current.log.next),
    });
    link.current = made;
    return () => {
      cancelAnimationFrame(frame);
      made.close();
    };
  }, [toast]);

  const choose = useCallback((id: string | null) => {
    shown.current = { id, log: NO_LOG };
    setLog(NO_LOG);
    setChosenId(id);
    link.current?.follow(id);
  }, []);

  const chosen = shells?.find((shell) => shell.id === chosenId) ?? null;
  return {
    shells,
    isLost,
    chosen,
    log,
    choose,
    async readEarlier() {
      const { id, log: before } = shown.current;
      if (id === null || before.from === null) return;
      const page = await readShellLogBefore(id, before.from);
      if (page === null || shown.current.id !== id) return;
      shown.current.log = prependPage(shown.current.log, page);
      setLog(shown.current.log);
    },
    input: (data) => {
      if (chosenId !== null) link.current?.input(chosenId, data);
    },
  };
}

/** Names come from a file that anybody may have written. Acts go by id, so the shown name is all the panel needs. */
function withShownNames(shell: ShellView): ShellView {
  return { ...shell, title: showName(shell.title), cwd: showName(shell.cwd), command: shell.command.map(showName) };
}

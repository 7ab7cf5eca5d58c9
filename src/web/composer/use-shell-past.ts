/** What a prompt can suggest from: where the shell is, what ran before, and paths that begin like the word being typed. */
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { createLatest, type Latest } from './latest.ts';

export interface ShellPast {
  readonly cwd: string;
  /** Oldest first. */
  readonly history: readonly string[];
  /** As they would be typed from the shell's directory; a directory ends in a slash. */
  readonly paths: readonly string[];
  remember(command: string): void;
  /** Where the shell is may have changed. */
  refresh(): void;
}

export function useShellPast(conversationId: ConversationId, word: string): ShellPast {
  const { readTerminal, readBlocks } = useCommands();
  const start = useApp((state) => state.meta?.cwd ?? '');
  const [cwd, setCwd] = useState('');
  const [history, setHistory] = useState<readonly string[]>([]);
  const isGone = useRef(false);

  const refresh = useCallback(() => {
    void readTerminal(conversationId).then((state) => {
      if (state !== null && !isGone.current) setCwd(state.cwd);
    });
  }, [conversationId, readTerminal]);

  useEffect(() => {
    isGone.current = false;
    refresh();
    void readBlocks(conversationId).then((blocks) => {
      if (blocks === null || isGone.current) return;
      // What was typed since is newer than what the server said.
      setHistory((typed) => [...blocks.map((one) => one.cmd), ...typed]);
    });
    return () => {
      isGone.current = true;
    };
  }, [conversationId, readBlocks, refresh]);

  const where = cwd === '' ? start : cwd;
  return {
    cwd: where,
    history,
    paths: usePaths(where, word),
    remember: (command) => setHistory((all) => [...all, command]),
    refresh,
  };
}

/** Relative words are looked up among the project's files, absolute ones among directories. */
function usePaths(cwd: string, word: string): readonly string[] {
  const { mention, listDirectories } = useCommands();
  const picker = useId();
  const [paths, setPaths] = useState<readonly string[]>([]);
  const latest = useRef<Latest<string> | null>(null);
  useEffect(() => {
    const look = async (asked: string): Promise<readonly string[]> => {
      if (/^[/~]/.test(asked)) {
        const parent = asked.slice(0, asked.lastIndexOf('/') + 1);
        const found = await listDirectories(parent === '' ? '~' : parent);
        return found.ok ? found.value.directories.map(({ name }) => `${parent}${name}/`) : [];
      }
      const found = cwd === '' ? null : await mention({ cwd }, asked, picker);
      return found?.files.map(({ path, type }) => (type === 'directory' ? `${path}/` : path)) ?? [];
    };
    const made = createLatest(look, (found) => setPaths(found.map((path) => path.replace(/\/+$/, '/'))));
    latest.current = made;
    return made.forget;
  }, [cwd, mention, listDirectories, picker]);
  useEffect(() => {
    // A flag is no path, and asking for everything at each space helps nobody.
    if (!word.startsWith('-')) latest.current?.ask(word);
  }, [word]);
  return paths;
}

/** What a prompt can suggest from: where the shell is, what ran before, and paths that begin like the word being typed. */

import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { createPathLookup, type FoundPaths, NO_PATHS } from './path-lookup.ts';

export interface ShellPast {
  readonly cwd: string;
  /** Oldest first. */
  readonly history: readonly string[];
  /** As they would be typed from the shell's directory; a directory ends in a slash. */
  readonly paths: readonly string[];
  /** The answer for the word is on its way. */
  readonly isLooking: boolean;
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
    ...usePaths(where, word),
    remember: (command) => setHistory((all) => [...all, command]),
    refresh,
  };
}

/** Relative words are looked up among the project's files, absolute ones among directories. */
function usePaths(cwd: string, word: string): Pick<ShellPast, 'paths' | 'isLooking'> {
  const { mention, listDirectories } = useCommands();
  const picker = useId();
  const [known, setKnown] = useState({ ...NO_PATHS, cwd });
  const lookup = useMemo(() => {
    const find = async (asked: string): Promise<FoundPaths | null> => {
      if (/^[/~]/.test(asked)) {
        const parent = asked.slice(0, asked.lastIndexOf('/') + 1);
        const found = await listDirectories(parent === '' ? '~' : parent);
        if (!found.ok) return null;
        return { paths: found.value.directories.map(({ name }) => `${parent}${name}/`), isWhole: true };
      }
      const found = cwd === '' ? null : await mention({ cwd }, asked, picker);
      if (found === null) return null;
      const paths = found.files.map(({ path }) => path);
      return { paths, isWhole: found.is_complete !== false && found.is_stale !== true };
    };
    return createPathLookup({ find, tell: (told) => setKnown({ ...told, cwd }), later: againSoon });
  }, [cwd, mention, listDirectories, picker]);
  useEffect(() => lookup.close, [lookup]);
  useEffect(() => lookup.want(word), [lookup, word]);
  // What was found from another directory is no path here.
  const here = known.cwd === cwd ? known : NO_PATHS;
  return { paths: here.paths, isLooking: here.answered !== word && !word.startsWith('-') };
}

/** While the tree is being listed, asking again finds more. */
const AGAIN_MS = 250;
function againSoon(run: () => void): () => void {
  const timer = setTimeout(run, AGAIN_MS);
  return () => clearTimeout(timer);
}

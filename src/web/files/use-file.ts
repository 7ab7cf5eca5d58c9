/** The loaded part of a file, and how it grows upward and downward. */
import { useEffect, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import type { ShownFile } from '../state/store.ts';
import { useCommands } from '../state/use-app.ts';

export interface Loaded {
  readonly path: string;
  readonly relativePath: string;
  readonly size: number;
  readonly kind: RouteOutput<'readFile'>['kind'];
  readonly fromLine: number;
  readonly lines: readonly string[];
  readonly totalLines: number | null;
  readonly isCut: boolean;
}

type FileState =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly message: string }
  | { readonly status: 'ready'; readonly file: Loaded };

/** Lines of one request: several screens, few enough to be laid out at once. */
const PAGE = 600;

export function useFile(conversationId: ConversationId, { path, line }: ShownFile) {
  const { readFile } = useCommands();
  const [state, setState] = useState<FileState>({ status: 'loading' });

  useEffect(() => {
    let isStale = false;
    const from = Math.max(1, (line ?? 1) - PAGE / 2);
    void readFile(conversationId, path, from, PAGE).then((read) => {
      if (isStale) return;
      setState(
        read.ok ? { status: 'ready', file: loadedOf(read.value) } : { status: 'failed', message: read.error.message },
      );
    });
    return () => {
      isStale = true;
    };
  }, [conversationId, path, line, readFile]);

  const grow = async (from: number, limit: number) => {
    if (state.status !== 'ready') return;
    const read = await readFile(conversationId, path, from, limit);
    if (!read.ok) return;
    const more = loadedOf(read.value);
    const { file } = state;
    const lines = from < file.fromLine ? [...more.lines, ...file.lines] : [...file.lines, ...more.lines];
    setState({
      status: 'ready',
      file: { ...more, fromLine: Math.min(from, file.fromLine), lines, isCut: file.isCut || more.isCut },
    });
  };

  return {
    state,
    loadEarlier: () => {
      if (state.status !== 'ready') return;
      const from = Math.max(1, state.file.fromLine - PAGE);
      void grow(from, state.file.fromLine - from);
    },
    loadMore: () => {
      if (state.status === 'ready') void grow(state.file.fromLine + state.file.lines.length, PAGE);
    },
  };
}

function loadedOf(read: RouteOutput<'readFile'>): Loaded {
  return {
    path: read.path,
    relativePath: read.relative_path,
    size: read.size,
    kind: read.kind,
    fromLine: read.from_line,
    lines: read.lines,
    totalLines: read.total_lines,
    isCut: read.is_cut,
  };
}

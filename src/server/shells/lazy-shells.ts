/** Framework Shells, opened when first needed: reading YAML and looking for processes must not delay the first page. */
import type { Result } from '../../contract/result.ts';
import type { ShellBackend } from './ports.ts';
import type { Shells, ShellsOptions } from './shells.ts';

export interface LazyShells {
  /** Before the first `open`. The pty host is a shell itself, so its backend cannot be there before the shells are. */
  addPtyBackend(backend: ShellBackend): void;
  open(): Promise<Result<Shells>>;
  /** Null while nobody has needed them. */
  peek(): Shells | null;
  /** Nothing while nobody has needed them. */
  endWithServer(): Promise<void>;
  close(): Promise<void>;
}

export function createLazyShells(options: Omit<ShellsOptions, 'pty'>): LazyShells {
  const added: ShellBackend[] = [];
  let opening: Promise<Result<Shells>> | null = null;
  let opened: Shells | null = null;
  const open = async (): Promise<Result<Shells>> => {
    const { openShells } = await import('./shells.ts');
    const [pty] = added;
    if (pty === undefined) throw new Error('shells are opened before the pty host is known');
    const result = await openShells({ ...options, pty });
    if (result.ok) opened = result.value;
    // What refused us may be mended by then.
    else opening = null;
    return result;
  };
  return {
    addPtyBackend: (backend) => void added.push(backend),
    open() {
      opening ??= open();
      return opening;
    },
    peek: () => opened,
    endWithServer: async () => opened?.endWithServer(),
    async close() {
      await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}

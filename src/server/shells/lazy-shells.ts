/** Framework Shells, opened when first needed: reading YAML and looking for processes must not delay the first page. */
import type { Result } from '../../contract/result.ts';
import type { Shells, ShellsOptions } from './shells.ts';

export interface LazyShells {
  open(): Promise<Result<Shells>>;
  /** Null while nobody has needed them. */
  peek(): Shells | null;
  close(): Promise<void>;
}

export function createLazyShells(options: ShellsOptions): LazyShells {
  let opening: Promise<Result<Shells>> | null = null;
  let opened: Shells | null = null;
  const open = async (): Promise<Result<Shells>> => {
    const { openShells } = await import('./shells.ts');
    const result = await openShells(options);
    if (result.ok) opened = result.value;
    // What refused us may be mended by then.
    else opening = null;
    return result;
  };
  return {
    open() {
      opening ??= open();
      return opening;
    },
    peek: () => opened,
    async close() {
      await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}

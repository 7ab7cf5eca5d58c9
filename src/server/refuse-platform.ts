/** Systems the server does not run on, said before anything is made. */
import type { Failure } from '../contract/result.ts';

/** Null: go on. Linux is tested, macOS is not refused. */
export function refusePlatform(platform: NodeJS.Platform): Failure | null {
  if (platform !== 'win32') return null;
  return {
    code: 'codex_unavailable',
    message: 'Signalbox does not run on Windows itself: start it inside WSL2, where it runs as on Linux',
  };
}

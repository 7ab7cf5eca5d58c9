/** What the conversations need of the link to Codex. */
import type { Result } from '../../contract/result.ts';
import type { Dialect } from '../../core/codex/normalize.ts';

export interface CodexPort {
  request(
    method: string,
    params: Record<string, unknown>,
    options?: { readonly timeoutMs?: number; readonly onResult?: (result: unknown) => void },
  ): Promise<Result<unknown>>;
  dialect(): Dialect;
}

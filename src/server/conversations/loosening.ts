/** What a token may not do to the settings of a conversation, and the sentences that say so. */
import { fail, ok, type Result } from '../../contract/result.ts';
import { isInside } from '../../core/conversations/settings.ts';
import { realPathOf } from '../../node/path-kind.ts';

export function tooLoose(): Result<never> {
  return fail('forbidden', 'only the page may loosen approval or sandbox: a token may not');
}

export function notChosen(cwd: string): Result<never> {
  return fail(
    'forbidden',
    `a token without the scope run starts conversations only where a person has worked before, and ${cwd} is not such a directory: start one there in the page first`,
    { missing_scope: 'run' },
  );
}

/**
 * Refuses a directory outside the one before. The directory that is set has no symbolic links, so that none of them
 * can lead elsewhere later.
 */
export async function boundCwd<P extends { readonly cwd?: string | null | undefined }>(
  before: string,
  patch: P,
): Promise<Result<P>> {
  if (typeof patch.cwd !== 'string') return ok(patch);
  const [from, to] = await Promise.all([realPathOf(before), realPathOf(patch.cwd)]);
  if (isInside(from, to)) return ok({ ...patch, cwd: to });
  return fail('forbidden', `only the page may choose a directory outside ${from}: a token may go to one inside it`, {
    cwd: from,
  });
}

export async function isInsideAny(directories: readonly string[], path: string): Promise<boolean> {
  const to = await realPathOf(path);
  for (const directory of new Set(directories)) if (isInside(await realPathOf(directory), to)) return true;
  return false;
}

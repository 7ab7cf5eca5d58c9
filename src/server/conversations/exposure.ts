/** Warns in a conversation whose directory contains the folders that rights hang on. */
import { EXPOSURE_CODE } from '../../core/conversations/describe-exposure.ts';
import type { Conversation } from './conversation.ts';

/** The warning about a directory; null if there is nothing to warn about. */
export type ExposurePort = (cwd: string) => Promise<string | null>;

/** Adds the warning to the transcript and returns it, for the answer of the call that chose the directory. */
export async function warnOfExposure(conversation: Conversation, exposureOf: ExposurePort): Promise<string[]> {
  const text = await exposureOf(conversation.meta().cwd);
  if (text === null) return [];
  await conversation.session.append({ role: 'warning', code: EXPOSURE_CODE, text });
  return [text];
}

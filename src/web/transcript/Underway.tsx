/** Says that a message is on its way to Codex, but only once that lasts longer than a moment. */
import type { MessageMode } from '../../contract/entry.ts';
import { en } from '../strings/en.ts';
import styles from './MessageCard.module.css';

export function Underway({ mode }: { readonly mode: MessageMode | undefined }) {
  return <span className={styles.underway}>{mode === 'steer' ? en.transcript.taken : en.transcript.sending}</span>;
}

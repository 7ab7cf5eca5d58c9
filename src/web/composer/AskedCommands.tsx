/** Commands of the terminal that a person asks about: each goes along with the next message until it is removed. */
import { SquareTerminal, X } from 'lucide-react';
import type { CommandEntry } from '../../contract/context.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { EN_ASKED } from '../strings/en-asked.ts';
import { showName } from '../transcript/ansi.ts';
import styles from './AskedCommands.module.css';

const NONE: readonly CommandEntry[] = [];

export function AskedCommands({ conversationId }: { readonly conversationId: ConversationId }) {
  const waiting = useApp((state) => state.meta?.pending_cmd_buffer?.commands ?? NONE);
  const { setAsked } = useCommands();
  const asked = waiting.filter((one) => one.asked_about === true);
  if (asked.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label={EN_ASKED.title}>
      {asked.map((one) => (
        <li key={one.block_id} className={styles.chip} title={EN_ASKED.hint}>
          <SquareTerminal size={14} aria-hidden />
          <code className={styles.command}>{showName(one.cmd)}</code>
          {one.exit_code !== null && <span className={styles.end}>{en.context.exit(one.exit_code)}</span>}
          <button
            type="button"
            className={styles.remove}
            aria-label={EN_ASKED.remove(showName(one.cmd))}
            onClick={() => {
              void setAsked(conversationId, one.block_id, false);
              document.getElementById('composer')?.focus({ preventScroll: true });
            }}
          >
            <X size={12} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}

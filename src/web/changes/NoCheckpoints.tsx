/** Below the first turn that changed files where no checkpoints can be made: says once why its changes cannot be undone. */
import { Info } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { EN_CHANGES } from '../strings/en-changes.ts';
import { showName } from '../transcript/ansi.ts';
import styles from './TurnChanges.module.css';

export function NoCheckpoints() {
  const openId = useApp((state) => state.openId);
  const hasNone = useApp((state) => state.checkpoints?.length === 0);
  /** The second turn with changes does not repeat it; the Changes panel always says it. */
  const isFirst = useApp(({ view, hasMore }) => {
    const turns = new Set(view.entries.flatMap((one) => (one.role === 'diff' ? [one.turn_id] : [])));
    return turns.size === 1 && !hasMore && view.live.activity.state === 'idle';
  });
  return openId !== null && hasNone && isFirst ? <Reason key={openId} conversationId={openId} /> : null;
}

function Reason({ conversationId }: { readonly conversationId: ConversationId }) {
  const { readChanges } = useCommands();
  const [reason, setReason] = useState<string | null>(null);
  useEffect(() => {
    void readChanges({ id: conversationId }).then((read) => {
      if (read.ok) setReason(read.value.reason);
    });
  }, [conversationId, readChanges]);
  if (reason === null) return null;
  return (
    <p className={styles.none}>
      <Info size={14} aria-hidden />
      <span>{EN_CHANGES.none(showName(reason))}</span>
    </p>
  );
}

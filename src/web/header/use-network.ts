/** Whether commands in the sandbox of the open conversation reach the network, as the server says. */
import { useEffect, useState } from 'react';
import type { ConversationMeta } from '../../contract/conversation.ts';
import { useApp, useCommands } from '../state/use-app.ts';

/** Null while it is not known. Asked again when the settings change and when a turn begins or ends, since Codex then says what it uses. */
export function useNetwork(meta: ConversationMeta | null): boolean | null {
  const { readNetwork } = useCommands();
  const state = useApp((app) => (app.openId === null ? undefined : app.list.get(app.openId)?.state));
  const [known, setKnown] = useState<{ readonly key: string; readonly network: boolean | null } | null>(null);
  const id = meta?.conversation_id;
  const key = `${id} ${meta?.sandbox}`;
  useEffect(() => {
    // Without a row the conversation was deleted, here or in another window: the server would answer 404.
    if (id === undefined || state === undefined) return;
    let isCurrent = true;
    void readNetwork(id).then((network) => {
      if (isCurrent) setKnown({ key, network });
    });
    return () => {
      isCurrent = false;
    };
  }, [id, key, state, readNetwork]);
  return known?.key === key ? known.network : null;
}

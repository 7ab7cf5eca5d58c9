/** An edit of an earlier message in the message box: what was in the box before, and what sending does first. */
import { useRef } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import type { Editing } from '../state/store.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import type { Attached } from './read-images.ts';

interface InBox {
  readonly text: string;
  readonly images: readonly Attached[];
}

export interface EditingBox {
  readonly current: Editing | null;
  /** Remembers what the edit takes the place of. */
  keep(inBox: InBox): void;
  /** Gives up the edit; what was in the box before it. */
  cancel(): InBox;
  /** Makes Codex forget the turns of the edit; false if that failed, so that nothing must be sent. */
  apply(): Promise<boolean>;
}

export function useEditing(id: ConversationId | null): EditingBox {
  const current = useApp((state) => (id !== null && state.editing?.conversationId === id ? state.editing : null));
  const { cancelEdit, revert } = useCommands();
  const before = useRef<InBox>({ text: '', images: [] });
  return {
    current,
    keep: (inBox) => {
      before.current = inBox;
    },
    cancel: () => {
      cancelEdit();
      return before.current;
    },
    apply: async () => current === null || revert(current.conversationId, current.turnId),
  };
}

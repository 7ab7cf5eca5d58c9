/** The text being written: kept in this browser at every key, and on the server a moment later, so that any device has it. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import { readDraft, writeDraft } from '../state/device.ts';
import { useApp, useCommands } from '../state/use-app.ts';

const SAVE_DELAY_MS = 1_200;
/** More saves than can be unanswered at once. */
const MAX_SAVED = 8;
const HOME_KEY = 'home';

export interface Draft {
  readonly text: string;
  readonly setText: (text: string) => void;
}

export function useDraft(id: ConversationId | null, initialText: string): Draft {
  const { patch } = useCommands();
  const onServer = useApp((state) => (id !== null && state.meta?.conversation_id === id ? state.meta.draft : null));
  const [text, setShown] = useState(() => initialText || readDraft(id ?? HOME_KEY));
  const isTouched = useRef(text !== '');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  /** Saved from here: the answer to a save may come after the message was sent and the box is empty again. */
  const saved = useRef<readonly string[]>([]);

  // A draft from another device is taken only into a box nobody has written in.
  useEffect(() => {
    if (onServer !== null && !isTouched.current && !saved.current.includes(onServer)) setShown(onServer);
  }, [onServer]);

  const setText = useCallback(
    (next: string) => {
      isTouched.current = next !== '';
      setShown(next);
      writeDraft(id ?? HOME_KEY, next);
      if (id === null) return;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        saved.current = [...saved.current, next].slice(-MAX_SAVED);
        void patch(id, { draft: next });
      }, SAVE_DELAY_MS);
    },
    [id, patch],
  );
  return { text, setText };
}

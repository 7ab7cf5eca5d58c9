/** Takes a message that was not delivered into the message box, and remembers which message the next one repeats. */
import { useEffect, useRef } from 'react';
import type { ImageInput } from '../../contract/conversation.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { useApp, useCommands, useGetState } from '../state/use-app.ts';

interface Repeating {
  /** The message that the one in the box repeats. */
  retryOf: string | undefined;
}

export function useToEdit(
  id: ConversationId | null,
  put: (text: string, images: readonly ImageInput[]) => void,
): Repeating {
  const toEdit = useApp((state) => (state.toEdit?.conversationId === id ? state.toEdit : null));
  const { clearToEdit } = useCommands();
  const getState = useGetState();
  const repeating = useRef<Repeating>({ retryOf: undefined });
  const latest = useRef(put);
  useEffect(() => {
    latest.current = put;
  });
  useEffect(() => {
    if (toEdit === null || getState().toEdit !== toEdit) return;
    clearToEdit();
    repeating.current.retryOf = toEdit.retryOf;
    latest.current(toEdit.text, toEdit.images);
  }, [toEdit, clearToEdit, getState]);
  return repeating.current;
}

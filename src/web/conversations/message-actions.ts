/** What can be done from a message: go on from it in a copy, or go back to before its turn. The card draws them. */
import { useMemo } from 'react';
import type { Entry, EntryOf } from '../../contract/entry.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';

export interface MessageAction {
  readonly key: 'fork' | 'fork-into' | 'revert';
  readonly label: string;
  readonly isDisabled: boolean;
  /** Why it is disabled. */
  readonly hint: string | undefined;
  readonly run: () => void;
}

const NONE: readonly MessageAction[] = [];

/** Empty for entries that belong to no turn of Codex, and while the conversation is not known. */
export function useMessageActions(
  entry: Pick<Entry, 'role' | 'turn_id'> & Partial<Pick<EntryOf<'user'>, 'text' | 'images'>>,
): readonly MessageAction[] {
  const openId = useApp((state) => state.openId);
  const isIdle = useApp((state) => state.view.live.activity.state === 'idle');
  const { fork, forkInto, editFrom } = useCommands();
  const { turn_id: turnId, role, text = '', images } = entry;
  const hasFiles = useApp(
    (state) => state.checkpoints?.some((one) => one.turn_id === turnId && one.after !== null) === true,
  );
  return useMemo(() => {
    if (openId === null || turnId === undefined || (role !== 'user' && role !== 'assistant')) return NONE;
    const common = { isDisabled: !isIdle, hint: isIdle ? undefined : en.message.busy };
    const actions: MessageAction[] = [
      { ...common, key: 'fork', label: en.message.fork, run: () => void fork(openId, turnId) },
    ];
    if (hasFiles)
      actions.push({ ...common, key: 'fork-into', label: en.message.forkInto, run: () => forkInto(turnId) });
    if (role === 'user') {
      actions.push({
        ...common,
        key: 'revert',
        label: en.message.revert,
        run: () => editFrom(openId, turnId, { text, images }),
      });
    }
    return actions;
  }, [openId, turnId, role, text, images, isIdle, hasFiles, fork, forkInto, editFrom]);
}

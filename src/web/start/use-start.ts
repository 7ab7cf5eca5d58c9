/** What a new conversation in a directory starts with, as the server says, and what the person chose instead. */
import { useEffect, useState } from 'react';
import type { RouteCall } from '../../contract/routes.ts';
import type { StartSettings } from '../state/project-commands.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { choiceIn, NO_CHOICE, type StartChoice, startCall } from './start-choice.ts';

export interface Start {
  /** Null until the server has answered for this directory. */
  readonly defaults: StartSettings | null;
  readonly choice: StartChoice;
  setChoice(choice: StartChoice): void;
  /** After the project was told to forget its settings. */
  setDefaults(defaults: StartSettings): void;
  /** For the call that begins the conversation. */
  readonly call: RouteCall<'createConversation'>;
}

const AGAIN_MS = 3_000;

export function useStart(cwd: string): Start {
  const { readStart } = useCommands();
  // Read again when the general settings change and after the connection was away.
  const preferences = useApp((state) => state.preferences);
  const [known, setKnown] = useState<{ readonly cwd: string; readonly defaults: StartSettings | null } | null>(null);
  const [chosen, setChoice] = useState(NO_CHOICE);
  useEffect(() => {
    if (cwd === '' || preferences === null) return;
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async (): Promise<void> => {
      const defaults = await readStart(cwd);
      if (!isCurrent) return;
      setKnown({ cwd, defaults });
      // Without an answer the page would offer no choice at all for this directory.
      if (defaults === null) timer = setTimeout(() => void read(), AGAIN_MS);
    };
    void read();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [cwd, preferences, readStart]);
  const choice = choiceIn(chosen, cwd);
  const defaults = known?.cwd === cwd ? known.defaults : null;
  const setDefaults = (next: StartSettings) => setKnown({ cwd, defaults: next });
  return { defaults, choice, setChoice, setDefaults, call: startCall(choice, defaults) };
}

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

export function useStart(cwd: string): Start {
  const { readStart } = useCommands();
  // Read again when the general settings change and after the connection was away.
  const preferences = useApp((state) => state.preferences);
  const [known, setKnown] = useState<{ readonly cwd: string; readonly defaults: StartSettings | null } | null>(null);
  const [chosen, setChoice] = useState(NO_CHOICE);
  useEffect(() => {
    if (cwd === '' || preferences === null) return;
    let isCurrent = true;
    void readStart(cwd).then((defaults) => {
      if (isCurrent) setKnown({ cwd, defaults });
    });
    return () => {
      isCurrent = false;
    };
  }, [cwd, preferences, readStart]);
  const choice = choiceIn(chosen, cwd);
  const defaults = known?.cwd === cwd ? known.defaults : null;
  const setDefaults = (next: StartSettings) => setKnown({ cwd, defaults: next });
  return { defaults, choice, setChoice, setDefaults, call: startCall(choice, defaults) };
}

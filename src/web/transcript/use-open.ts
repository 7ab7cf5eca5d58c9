/** Whether a card is open: by default as its state says, else as the person chose, remembered while the page lives. */
import { useState } from 'react';

const choices = new Map<string, boolean>();

export function useOpen(key: string, isOpenByDefault: boolean): readonly [boolean, () => void] {
  const [choice, setChoice] = useState(choices.get(key));
  const isOpen = choice ?? isOpenByDefault;
  return [
    isOpen,
    () => {
      choices.set(key, !isOpen);
      setChoice(!isOpen);
    },
  ];
}

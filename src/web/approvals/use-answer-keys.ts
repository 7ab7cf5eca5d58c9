/** Keys that answer a request: `y`, `a`, `n`, and `e` for its end. */
import { useEffect, useRef, useState } from 'react';
import type { DecisionWord, PendingApproval } from '../../contract/approval.ts';
import { useIsFocused } from '../state/use-app.ts';
import { decisionOfKey } from './describe-ask.ts';

/** A request may appear while somebody types: keys in the empty message box count only after a pause of this length. */
const PAUSE_MS = 800;

/**
 * The keys work outside of texts, in the message box while it is empty, and with Alt everywhere.
 * True once keys in the empty message box are counted.
 */
export function useAnswerKeys(
  approval: PendingApproval,
  onDecide: (decision: DecisionWord) => void,
  onEnd: () => void,
): boolean {
  const [isReady, setReady] = useState(false);
  const [typed, setTyped] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each key that is typed begins the pause again
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const latest = useRef({ onDecide, onEnd, isReady });
  useEffect(() => {
    latest.current = { onDecide, onEnd, isReady };
  });
  const isFocused = useIsFocused();
  useEffect(() => {
    // With two conversations the keys answer the one that has the focus.
    if (!isFocused) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.repeat || event.isComposing) return;
      const isHeld = !event.altKey && isInText(event) && !(latest.current.isReady && isEmptyBox(event));
      if (isHeld) {
        setReady(false);
        setTyped((count) => count + 1);
        return;
      }
      const key = event.altKey ? event.code.replace('Key', '') : event.key;
      const decision = decisionOfKey(approval, key);
      const isEnd = key.toLowerCase() === 'e';
      if ((decision === null && !isEnd) || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      if (decision === null) latest.current.onEnd();
      else latest.current.onDecide(decision);
    };
    // Before the message box takes the letter.
    addEventListener('keydown', onKey, true);
    return () => removeEventListener('keydown', onKey, true);
  }, [approval, isFocused]);
  return isReady && isFocused;
}

function isInText({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select');
}

function isEmptyBox({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLTextAreaElement && target.id === 'composer' && target.value === '';
}

/** Why Codex says it asks. Its own words, below what it asks for, and cut until somebody wants all of them. */
import { useState } from 'react';
import { en } from '../strings/en.ts';
import { showText } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import styles from './ApprovalDock.module.css';
import { briefReason } from './reading-gate.ts';

export function Reason({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const brief = briefReason(text);
  return (
    <div className={styles.reason}>
      <span className={styles.by}>{en.approval.reason}</span>
      <p className={styles.words}>{showText(isWhole ? text : brief.text)}</p>
      {brief.lines !== null && (
        <Button tone="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? en.showLess : en.approval.wholeReason}
        </Button>
      )}
    </div>
  );
}

/** The own words of whoever asks: Codex's reason, the message of an MCP server. Named as such, and cut until somebody wants all of them. */
import { useState } from 'react';
import { en } from '../strings/en.ts';
import { showText } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import styles from './ApprovalDock.module.css';
import { briefReason } from './reading-gate.ts';

interface ReasonProps {
  readonly text: string;
  /** Whose words these are. */
  readonly by: string;
  readonly onWhole?: () => void;
}

export function Reason({ text, by, onWhole }: ReasonProps) {
  const [isWhole, setWhole] = useState(false);
  const brief = briefReason(text);
  const toggle = () => {
    setWhole(!isWhole);
    if (!isWhole) onWhole?.();
  };
  return (
    <div className={styles.reason}>
      <span className={styles.by}>{by}</span>
      <p className={styles.words}>{showText(isWhole ? text : brief.text)}</p>
      {brief.lines !== null && (
        <Button tone="quiet" aria-expanded={isWhole} onClick={toggle}>
          {isWhole ? en.showLess : en.approval.wholeReason}
        </Button>
      )}
    </div>
  );
}

/** Where Codex was made to forget turns: how many, a way to read them, and the way back. */
import { History } from 'lucide-react';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { showText } from './ansi.ts';
import styles from './NoticeCard.module.css';
import type { EntryWithSeq } from './rows.ts';
import { forgottenIn } from './use-forgotten.ts';

export function RevertedNote({ entry }: { readonly entry: EntryWithSeq<'note'> }) {
  const entries = useApp((state) => state.transcript.source.entries);
  const isUnfolded = useApp((state) => state.unfolded.has(entry.seq));
  const { toggleForgotten, openKept } = useCommands();
  const forgotten = forgottenIn(entries);
  const turns = entries.filter(({ role, seq }) => role === 'status' && forgotten.get(seq) === entry.seq).length;
  const { kept_in: keptIn } = entry;
  return (
    <div className={classes(styles.note, styles.reverted)}>
      <History size={14} aria-hidden />
      {turns > 0 && <span>{en.message.forgotten(turns)}</span>}
      <span className={styles.quiet}>{showText(entry.text)}</span>
      {turns > 0 && (
        <Button tone="quiet" aria-expanded={isUnfolded} onClick={() => toggleForgotten(entry.seq)}>
          {isUnfolded ? en.message.hideForgotten : en.message.showForgotten}
        </Button>
      )}
      {keptIn !== undefined && (
        <Button tone="quiet" onClick={() => void openKept(keptIn)}>
          {en.message.openKept}
        </Button>
      )}
    </div>
  );
}

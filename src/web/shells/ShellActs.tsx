/** What can be done with a shell. A part of Signalbox itself is ended only after a question. */
import { Play, RotateCw, Square, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ShellView } from '../../contract/shellspec.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { EN_SHELLS } from '../strings/en-shells.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './ShellsPanel.module.css';
import { isOver } from './shell-lamp.ts';

export function ShellActs({ shell }: { readonly shell: ShellView }) {
  const { stopShell, restartShell, purgeShell } = useCommands();
  const [isAsking, setAsking] = useState(false);
  const over = isOver(shell);
  const words = EN_SHELLS;
  return (
    <span className={styles.acts}>
      {!over && (
        <Button
          tone="quiet"
          icon={<Square size={14} aria-hidden />}
          name={words.stop(shell.title)}
          onClick={() => (shell.is_infrastructure ? setAsking(true) : void stopShell(shell.id))}
        />
      )}
      <Button
        tone="quiet"
        icon={over ? <Play size={14} aria-hidden /> : <RotateCw size={14} aria-hidden />}
        name={over ? words.start(shell.title) : words.restart(shell.title)}
        onClick={() => void restartShell(shell.id)}
      />
      {over && (
        <Button
          tone="quiet"
          icon={<Trash2 size={14} aria-hidden />}
          name={words.purge(shell.title)}
          onClick={() => void purgeShell(shell.id)}
        />
      )}
      {isAsking && (
        <Dialog title={words.confirm.title(shell.title)} onClose={() => setAsking(false)}>
          <div className={styles.question}>
            <p>{words.confirm.text}</p>
            <p className={styles.answers}>
              <Button onClick={() => setAsking(false)}>{en.cancel}</Button>
              <Button
                tone="danger"
                onClick={() => {
                  setAsking(false);
                  void stopShell(shell.id);
                }}
              >
                {words.confirm.act}
              </Button>
            </p>
          </div>
        </Dialog>
      )}
    </span>
  );
}

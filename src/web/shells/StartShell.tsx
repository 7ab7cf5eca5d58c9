/** The question before a shell of the project is started: the exact command and all else that its shellspec would run or set. */
import { useEffect, useRef, useState } from 'react';
import type { ProjectShell, ProjectSpecFile } from '../../contract/shellspec.ts';
import { Exact } from '../approvals/Exact.tsx';
import { useEndShown } from '../approvals/use-end-shown.ts';
import { en } from '../strings/en.ts';
import { EN_SHELLS } from '../strings/en-shells.ts';
import { showExact, showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './ProjectShells.module.css';

interface StartShellProps {
  readonly file: ProjectSpecFile;
  readonly shell: ProjectShell;
  readonly isChanged: boolean;
  readonly onClose: () => void;
  readonly onStart: () => Promise<void>;
}

export function StartShell({ file, shell, isChanged, onClose, onStart }: StartShellProps) {
  const words = EN_SHELLS.project;
  const scroller = useRef<HTMLDivElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const [isStarting, setStarting] = useState(false);
  const { wasEndShown } = useEndShown(scroller, end);
  useEffect(() => cancel.current?.focus(), []);
  const env = shell.env.map(({ name, value }) => `${name}=${value}`).join('\n');
  const start = async () => {
    setStarting(true);
    await onStart();
    setStarting(false);
  };
  return (
    <Dialog title={words.question(showName(shell.title))} onClose={onClose}>
      <div className={styles.question}>
        {isChanged && (
          <p role="alert" className={styles.changed}>
            {words.changed}
          </p>
        )}
        <p>{words.means(showName(file.path))}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <div ref={scroller} className={styles.whole} tabIndex={0}>
          <Exact text={shell.command} name={words.command} />
          <p className={styles.where}>{words.in(showExact(shell.cwd))}</p>
          {env !== '' && <Also title={words.env} text={env} />}
          {shell.health_command !== null && <Also title={words.health} text={shell.health_command} />}
          {words.restarts[shell.restart] !== '' && <p className={styles.where}>{words.restarts[shell.restart]}</p>}
          <span ref={setEnd} />
        </div>
        <p className={styles.answers}>
          {!wasEndShown && (
            <Button tone="quiet" onClick={() => end?.scrollIntoView({ block: 'end' })}>
              {words.toEnd}
            </Button>
          )}
          <Button ref={cancel} onClick={onClose}>
            {en.cancel}
          </Button>
          <Button tone="primary" disabled={!wasEndShown || isStarting} onClick={() => void start()}>
            {words.act}
          </Button>
        </p>
      </div>
    </Dialog>
  );
}

function Also({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <>
      <p className={styles.where}>{title}</p>
      <Exact text={text} name={title} />
    </>
  );
}

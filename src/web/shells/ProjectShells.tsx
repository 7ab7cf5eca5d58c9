/** The shells that the project's own shellspec describes and that do not run: each is started after a look at what it runs. */
import { Play, RotateCw } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import type { ProjectShell, ProjectSpecFile, ShellView } from '../../contract/shellspec.ts';
import { useCommands } from '../state/use-app.ts';
import { EN_SHELLS } from '../strings/en-shells.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import styles from './ProjectShells.module.css';
import { StartShell } from './StartShell.tsx';
import { isOver } from './shell-lamp.ts';

interface ProjectShellsProps {
  readonly conversationId: ConversationId;
  readonly shells: readonly ShellView[];
}

/** What the dialog is about. `isChanged`: the file was read again because it had changed. */
interface Asked {
  readonly file: ProjectSpecFile;
  readonly shell: ProjectShell;
  readonly isChanged: boolean;
}

export function ProjectShells({ conversationId, shells }: ProjectShellsProps) {
  const { readProjectShells, startProjectShell, toast } = useCommands();
  const [files, setFiles] = useState<readonly ProjectSpecFile[]>([]);
  const [asked, setAsked] = useState<Asked | null>(null);
  const read = useCallback(async () => {
    const found = (await readProjectShells(conversationId)) ?? [];
    setFiles(found);
    return found;
  }, [conversationId, readProjectShells]);
  useEffect(() => void read(), [read]);

  const start = async ({ file, shell }: Asked) => {
    const done = await startProjectShell(file, shell.name);
    if (done !== 'changed') return setAsked(null);
    const now = (await read()).find((one) => one.file === file.file);
    const found = now?.shells.find((one) => one.name === shell.name);
    if (now === undefined || found === undefined) {
      toast({ text: EN_SHELLS.project.gone(showName(shell.title)), tone: 'error' });
      return setAsked(null);
    }
    setAsked({ file: now, shell: found, isChanged: true });
  };

  const busy = new Set(shells.filter((one) => !isOver(one)).map(({ ref }) => ref));
  const offered = files.map((file) => ({
    ...file,
    shells: file.shells.filter(({ name }) => !busy.has(`${file.file}#${name}`)),
  }));
  if (offered.every(({ problem, shells: left }) => problem === null && left.length === 0)) return null;
  return (
    <section aria-label={EN_SHELLS.project.label}>
      <h3 className={styles.head}>
        {EN_SHELLS.project.label}
        <Button
          tone="quiet"
          icon={<RotateCw size={14} aria-hidden />}
          name={EN_SHELLS.project.again}
          onClick={() => void read()}
        />
      </h3>
      {offered.map((file) => (
        <div key={file.path}>
          {(file.problem !== null || file.shells.length > 0) && <p className={styles.file}>{showName(file.path)}</p>}
          {file.problem !== null && <p className={styles.problem}>{showName(file.problem)}</p>}
          <ul className={styles.rows}>
            {file.shells.map((shell) => (
              <Row key={shell.name} shell={shell} onStart={() => setAsked({ file, shell, isChanged: false })} />
            ))}
          </ul>
        </div>
      ))}
      {asked !== null && (
        <StartShell
          key={`${asked.file.sha256} ${asked.shell.name}`}
          {...asked}
          onClose={() => setAsked(null)}
          onStart={() => start(asked)}
        />
      )}
    </section>
  );
}

function Row({ shell, onStart }: { readonly shell: ProjectShell; readonly onStart: () => void }) {
  const title = showName(shell.title);
  const isMissing = shell.missing.length > 0;
  return (
    <li className={styles.row}>
      <span className={styles.what}>
        <span className={styles.title}>{title}</span>
        <code className={styles.command}>{showName(shell.command)}</code>
        {isMissing && <span className={styles.problem}>{EN_SHELLS.project.unnamed(shell.missing)}</span>}
      </span>
      {!isMissing && (
        <Button
          tone="quiet"
          icon={<Play size={14} aria-hidden />}
          name={EN_SHELLS.project.start(title)}
          onClick={onStart}
        />
      )}
    </li>
  );
}

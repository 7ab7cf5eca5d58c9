/** The projects somebody worked in last: one press and the next conversation begins there. */
import { Folder } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { RecentProject } from '../state/project-commands.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { EN_START } from '../strings/en-start.ts';
import { showName } from '../transcript/ansi.ts';
import { classes } from '../ui/classes.ts';
import { formatAgo, formatExact, middleCut, projectName } from '../ui/format.ts';
import styles from './RecentProjects.module.css';

interface RecentProjectsProps {
  readonly cwd: string;
  readonly onPick: (cwd: string) => void;
}

/** Longer paths keep their beginning and their last part. */
const MAX_PATH_CHARS = 64;

export function RecentProjects({ cwd, onPick }: RecentProjectsProps) {
  const { listProjects } = useCommands();
  const list = useApp((state) => state.list);
  const [projects, setProjects] = useState<readonly RecentProject[]>([]);
  useEffect(() => {
    if (list.size === 0) return;
    let isCurrent = true;
    void listProjects().then((found) => {
      if (isCurrent) setProjects(found);
    });
    return () => {
      isCurrent = false;
    };
  }, [list.size, listProjects]);
  if (projects.length === 0) return null;
  return (
    <section>
      <h2 className={styles.title} id="recent-projects">
        {EN_START.recent}
      </h2>
      <ul className={styles.list} aria-labelledby="recent-projects">
        {projects.map((project) => (
          <li key={project.cwd}>
            <button
              type="button"
              className={classes(styles.project, project.cwd === cwd && styles.chosen)}
              aria-pressed={project.cwd === cwd}
              title={showName(project.cwd)}
              onClick={() => onPick(project.cwd)}
            >
              <Folder size={14} aria-hidden className={styles.icon} />
              <strong className={styles.name}>{showName(projectName(project.cwd))}</strong>
              <span className={styles.path}>{showName(middleCut(project.cwd, MAX_PATH_CHARS))}</span>
              <span className={styles.count}>{EN_START.conversations(project.conversations)}</span>
              <time className={styles.time} dateTime={project.active_at} title={formatExact(project.active_at)}>
                {formatAgo(project.active_at, Date.now())}
              </time>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

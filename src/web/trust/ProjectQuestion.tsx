/** The question whether Codex may load the configuration of the open conversation's project: a line, and a dialog with all it would do. */
import { useEffect, useId, useRef, useState } from 'react';
import type { ProjectFolder, ProjectTrust, TrustDecision } from '../../contract/trust.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './ProjectQuestion.module.css';

export function ProjectQuestion() {
  const cwd = useApp((state) => state.meta?.cwd ?? null);
  const { project, setProject } = useProject(cwd);
  const isOpen = useApp((state) => state.overlay === 'project');
  const { show } = useCommands();
  const isAsked = project?.must_ask === true;
  useEffect(() => {
    // Answered elsewhere, or no longer there.
    if (isOpen && !isAsked) show('none');
  }, [isOpen, isAsked, show]);
  if (project === null || !isAsked) return null;
  const isChanged = project.folders.some((folder) => folder.is_changed);
  return (
    <>
      <div className={styles.line} role="status">
        <span>{isChanged ? en.trust.changed : en.trust.off}</span>
        <Button onClick={() => show('project')}>{en.trust.look}</Button>
      </div>
      {isOpen && <Question project={project} onChange={setProject} onClose={() => show('none')} />}
    </>
  );
}

/** Read when the conversation is opened, its directory changes or a turn begins or ends: files may have changed meanwhile. */
function useProject(cwd: string | null) {
  const [project, setProject] = useState<ProjectTrust | null>(null);
  const turn = useApp((state) => state.view.live.activity.turn_id);
  const link = useApp((state) => state.link);
  const { readProject } = useCommands();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a turn and a reconnect are reasons to look again
  useEffect(() => {
    let isWanted = true;
    if (cwd === null) setProject(null);
    else
      void readProject(cwd).then((read) => {
        if (isWanted && read.ok) setProject(read.value);
      });
    return () => {
      isWanted = false;
    };
  }, [cwd, turn, link, readProject]);
  return { project: project?.cwd === cwd ? project : null, setProject };
}

interface QuestionProps {
  readonly project: ProjectTrust;
  readonly onChange: (project: ProjectTrust) => void;
  readonly onClose: () => void;
}

function Question({ project, onChange, onClose }: QuestionProps) {
  const { decideProject, readProject, toast } = useCommands();
  const [notice, setNotice] = useState<string | null>(null);
  const folders = project.folders.filter((folder) => folder.state === 'unanswered');
  const isBlocked = folders.some((folder) => folder.blocked !== null);
  const { end, isEndSeen } = useEndSeen();

  async function decide(decision: TrustDecision['decision']): Promise<void> {
    const seen = folders.map(({ path, hash }) => ({ path, hash }));
    const decided = await decideProject({ cwd: project.cwd, decision, folders: seen });
    if (decided.ok) {
      onChange(decided.value);
      onClose();
      toast({ text: decision === 'trusted' ? en.trust.trusted : en.trust.keptOff, tone: 'plain' });
      return;
    }
    if (decided.error.code === 'confirmation_required') return;
    const again = await readProject(project.cwd);
    if (again.ok) onChange(again.value);
    setNotice(decided.error.code === 'stale' ? en.trust.stale : decided.error.message);
  }

  return (
    <Dialog title={en.trust.title} onClose={onClose} className={styles.dialog}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it to its end */}
      <section className={styles.body} aria-label={en.trust.what} tabIndex={0}>
        <p>{en.trust.intro}</p>
        {notice !== null && (
          <p className={styles.notice} role="alert">
            {notice}
          </p>
        )}
        {folders.map((folder) => (
          <Folder key={folder.path} folder={folder} />
        ))}
        <p ref={end} className={styles.quiet}>
          {en.trust.scripts}
        </p>
      </section>
      <div className={styles.acts}>
        {!isEndSeen && <span className={styles.quiet}>{en.trust.scroll}</span>}
        {/* First in the order of the keyboard: the answer that changes nothing. */}
        <Button tone="primary" onClick={() => void decide('kept_off')}>
          {en.trust.keepOff}
        </Button>
        <Button tone="danger" disabled={isBlocked || !isEndSeen} onClick={() => void decide('trusted')}>
          {en.trust.trust}
        </Button>
      </div>
    </Dialog>
  );
}

/** A long list must not hide what it ends with: it can be trusted when its end was in view. */
function useEndSeen() {
  const end = useRef<HTMLParagraphElement>(null);
  const [isEndSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = end.current;
    if (element === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { end, isEndSeen };
}

function Folder({ folder }: { readonly folder: ProjectFolder }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.folder}>
      <h3 id={id} className={styles.path}>
        {folder.path}
      </h3>
      <ul className={styles.list}>
        {folder.findings.map((finding, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes while its folder has this hash
          <li key={`${folder.hash}-${at}`} data-kind={finding.kind}>
            <span className={styles.title}>{finding.title}</span>
            {finding.detail !== '' && <code className={styles.detail}>{finding.detail}</code>}
            <span className={styles.quiet}>{finding.file}</span>
          </li>
        ))}
      </ul>
      {folder.blocked !== null && <p className={styles.notice}>{folder.blocked}</p>}
    </section>
  );
}

/** Framework Shells in the drawer: the live list by group, or one shell with its log. */
import { Trash2 } from 'lucide-react';
import type { ConversationId } from '../../contract/ids.ts';
import type { ShellView } from '../../contract/shellspec.ts';
import { groupShells, placesOf } from '../../core/shells/rows.ts';
import { RunningList } from '../running/RunningList.tsx';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { EN_SHELLS } from '../strings/en-shells.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { Lamp } from '../ui/Lamp.tsx';
import { PortLinks } from './PortLinks.tsx';
import { ProjectShells } from './ProjectShells.tsx';
import { ShellActs } from './ShellActs.tsx';
import { ShellDetail } from './ShellDetail.tsx';
import styles from './ShellsPanel.module.css';
import { isOver, lampOf, stateWords, usageWords } from './shell-lamp.ts';
import { useShells } from './use-shells.ts';

export function ShellsPanel({ conversationId }: { readonly conversationId: ConversationId | null }) {
  const state = useShells();
  if (state.shells === null) return <p className={styles.note}>{state.isLost ? EN_SHELLS.lost : en.loading}</p>;
  return (
    <div className={styles.panel}>
      {conversationId !== null && state.chosen === null && (
        <RunningList key={conversationId} conversationId={conversationId} />
      )}
      {state.isLost && (
        <p className={styles.note} role="status">
          {EN_SHELLS.lost}
        </p>
      )}
      {state.chosen === null ? (
        <List shells={state.shells} onOpen={state.choose} conversationId={conversationId} />
      ) : (
        <ShellDetail shell={state.chosen} state={state} />
      )}
    </div>
  );
}

interface ListProps {
  readonly shells: readonly ShellView[];
  readonly onOpen: (id: string) => void;
  readonly conversationId: ConversationId | null;
}

function List({ shells, onOpen, conversationId }: ListProps) {
  const { purgeShells, toast } = useCommands();
  const places = placesOf(shells);
  const purge = async () => {
    const count = await purgeShells();
    if (count !== null) toast({ text: EN_SHELLS.purged(count), tone: 'plain' });
  };
  return (
    <div className={styles.list}>
      {conversationId !== null && (
        <ProjectShells key={conversationId} conversationId={conversationId} shells={shells} />
      )}
      {shells.length === 0 && <p className={styles.note}>{EN_SHELLS.empty}</p>}
      {groupShells(shells).map((group) => (
        <section key={group.name} aria-label={group.name}>
          <h3 className={styles.group}>{group.name}</h3>
          <ul className={styles.rows}>
            {group.shells.map((shell) => (
              <Row key={shell.id} shell={shell} place={places.get(shell.id) ?? ''} onOpen={onOpen} />
            ))}
          </ul>
        </section>
      ))}
      {shells.some((shell) => isOver(shell) && !shell.is_infrastructure) && (
        <p className={styles.foot}>
          <Button tone="quiet" icon={<Trash2 size={14} aria-hidden />} onClick={() => void purge()}>
            {EN_SHELLS.purgeAll}
          </Button>
        </p>
      )}
    </div>
  );
}

interface RowProps {
  readonly shell: ShellView;
  /** Its shellspec, where another shell has the same title. */
  readonly place: string;
  readonly onOpen: (id: string) => void;
}

function Row({ shell, place, onOpen }: RowProps) {
  const state = stateWords(shell);
  return (
    <li className={styles.row} data-shell={shell.id} data-state={shell.state}>
      <Lamp state={lampOf(shell)} name={state} />
      <button
        type="button"
        className={styles.open}
        aria-label={EN_SHELLS.open(shell.title)}
        onClick={() => onOpen(shell.id)}
      >
        <span className={styles.title} title={shell.id}>
          {shell.title}
        </span>
        <span className={styles.dim}>{place === '' ? state : `${state} · ${showName(place)}`}</span>
        <span className={styles.usage}>{usageWords(shell)}</span>
      </button>
      <PortLinks shell={shell} />
      <ShellActs shell={shell} />
    </li>
  );
}

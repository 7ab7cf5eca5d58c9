/** One conversation in the list: lamp, name, what waits; its acts in a menu. */
import { Ellipsis, GitFork, Inbox, Pin } from 'lucide-react';
import { useState } from 'react';
import type { ConversationRow } from '../../contract/conversation.ts';
import { renderPlace } from '../route.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { EN_BRANCH } from '../strings/en-branch.ts';
import { showName } from '../transcript/ansi.ts';
import { classes } from '../ui/classes.ts';
import { formatAgo, formatExact } from '../ui/format.ts';
import { Lamp, type LampState } from '../ui/Lamp.tsx';
import { Menu } from '../ui/Menu.tsx';
import styles from './ConversationItem.module.css';
import { lampOf, nameOf } from './group-conversations.ts';
import { NameField } from './NameField.tsx';

const LAMP_WORDS = {
  off: en.state.idle,
  draft: en.state.draft,
  running: en.state.running,
  waiting: en.state.waiting,
  success: en.state.idle,
  error: en.state.failed,
  warning: en.state.idle,
  unread: en.state.unread,
} as const;

/** At least as visible as what is unread. */
const WANTS_LOOK: ReadonlySet<LampState> = new Set(['waiting', 'running', 'error', 'unread']);

const onBranch = (branch: string) => EN_BRANCH.on(showName(branch));

/** Which conversation this one is a fork of, in words. */
function useOrigin({ forked_from: from }: ConversationRow): string | null {
  const parent = useApp((state) => (from === null ? undefined : state.list.get(from)));
  if (from === null) return null;
  return parent === undefined
    ? en.sidebar.forkOfGone
    : en.sidebar.forkOf(showName(nameOf(parent) ?? en.sidebar.untitled));
}

/** The whole name, which the list may cut, and what its signs stand for. */
function describeRow(name: string, origin: string | null, state: string): string {
  return [name, origin, state].filter((part) => part !== null).join(' · ');
}

export function ConversationItem({ row }: { readonly row: ConversationRow }) {
  const isOpen = useApp((state) => state.openId === row.id);
  const commands = useCommands();
  const [isRenaming, setRenaming] = useState(false);
  const name = showName(nameOf(row) ?? en.sidebar.untitled);
  const lamp = lampOf(row, isOpen);
  const origin = useOrigin(row);
  const branch = useApp((state) => state.branches.get(row.id));

  if (isRenaming) {
    return (
      <li className={styles.item}>
        <NameField
          name={nameOf(row) ?? ''}
          onDone={(label) => {
            setRenaming(false);
            if (label !== null) void commands.patch(row.id, { label: label === '' ? null : label });
          }}
        />
      </li>
    );
  }
  return (
    <li className={classes(styles.item, isOpen && styles.open)}>
      <a
        href={renderPlace({ conversationId: row.id })}
        className={classes(styles.link, WANTS_LOOK.has(lamp) && styles.unread)}
        title={describeRow(name, origin, LAMP_WORDS[lamp])}
        aria-current={isOpen ? 'page' : undefined}
        onClick={(event) => {
          // A browser would download the address of a link.
          if (event.altKey) event.preventDefault();
          commands.show('none');
          if (event.altKey) commands.setBeside(row.id);
        }}
      >
        <span className={styles.lamp}>
          <Lamp state={lamp} name={LAMP_WORDS[lamp]} />
        </span>
        <span className={styles.name}>{name}</span>
        {branch !== undefined && (
          <span className={styles.fork} role="img" aria-label={onBranch(branch)} title={onBranch(branch)}>
            <span aria-hidden>⎇</span>
          </span>
        )}
        {origin !== null && (
          <span className={styles.fork} role="img" aria-label={origin}>
            <GitFork size={12} aria-hidden />
          </span>
        )}
        <Facts row={row} />
      </a>
      <Menu
        name={en.sidebar.actions(name)}
        className={styles.more}
        trigger={<Ellipsis size={16} aria-hidden />}
        groups={[
          {
            items: [
              { key: 'beside', label: en.drawer.beside, run: () => commands.setBeside(row.id) },
              { key: 'rename', label: en.sidebar.rename, run: () => setRenaming(true) },
              {
                key: 'pin',
                label: row.pinned ? en.sidebar.unpin : en.sidebar.pin,
                run: () => void commands.patch(row.id, { pinned: !row.pinned }),
              },
              {
                key: 'fork',
                label: en.sidebar.fork,
                isDisabled: row.thread_id === null,
                run: () => void commands.fork(row.id),
              },
              {
                key: 'archive',
                label: row.archived ? en.archive.restore : en.sidebar.archive,
                run: () => void commands.setArchived(row.id, !row.archived),
              },
            ],
          },
          {
            items: [
              { key: 'delete', label: en.sidebar.delete, isDangerous: true, run: () => void commands.remove(row.id) },
            ],
          },
        ]}
      />
    </li>
  );
}

function Facts({ row }: { readonly row: ConversationRow }) {
  const isOpen = useApp((state) => state.openId === row.id);
  const events = useApp((state) => state.unreadEvents.get(row.id) ?? 0);
  if (row.pending_approvals > 0) {
    return (
      <span className={styles.waiting} title={en.sidebar.waiting(row.pending_approvals)}>
        {row.pending_approvals}
      </span>
    );
  }
  const unread = isOpen || row.source !== 'signalbox' ? 0 : row.unread;
  return (
    <>
      {events > 0 && (
        <span className={styles.events} title={en.sidebar.unreadEvents(events)}>
          <Inbox size={12} aria-hidden />
          <span className="visually-hidden">{en.sidebar.unreadEvents(events)}</span>
          <span aria-hidden>{events}</span>
        </span>
      )}
      <span className={styles.facts} title={formatExact(row.active_at)}>
        {row.pinned && <Pin size={12} aria-hidden />}
        {row.queued > 0 ? en.sidebar.queued(row.queued) : formatAgo(row.active_at, Date.now())}
      </span>
      {unread > 0 && (
        <span className={styles.count} title={en.sidebar.unread(unread)}>
          <span className="visually-hidden">{en.sidebar.unread(unread)}</span>
          <span aria-hidden>{unread > 99 ? '99+' : unread}</span>
        </span>
      )}
    </>
  );
}

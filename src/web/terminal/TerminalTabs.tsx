/** The tabs above the screen: the shared terminal, the person's own ones with ×, and + for another one. */
import { Plus, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { TerminalTab } from '../../contract/terminal.ts';
import { SHARED_TERMINAL } from '../../core/terminal/terminal-key.ts';
import { en } from '../strings/en.ts';
import { EN_TERMINAL_PANE } from '../strings/en-terminal-pane.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './TerminalPane.module.css';
import type { Tabs } from './use-tabs.ts';

export function TerminalTabs({ tabs }: { readonly tabs: Tabs }) {
  const [asked, setAsked] = useState<TerminalTab | null>(null);
  const close = async (tab: TerminalTab) => {
    if (!(await tabs.remove(tab.key, false))) setAsked(tab);
  };
  const onKey = (event: KeyboardEvent, at: number) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const tab = tabs.all[at];
    if (event.key === 'Delete' && tab !== undefined && tab.number !== SHARED_TERMINAL) void close(tab);
    const next = by === undefined ? undefined : tabs.all.at((at + by) % tabs.all.length);
    if (next === undefined) return;
    event.preventDefault();
    tabs.choose(next.key);
    document.getElementById(idOf(next))?.focus();
  };
  return (
    <div className={styles.tabs}>
      {/* The tabs are beside it in the document, since a list of tabs may hold no other button. */}
      <span role="tablist" aria-label={EN_TERMINAL_PANE.tabs} aria-owns={tabs.all.map(idOf).join(' ')} />
      {tabs.all.map((tab, at) => {
        const isChosen = tab.key === tabs.chosen;
        const isShared = tab.number === SHARED_TERMINAL;
        return (
          <span key={tab.key} role="presentation" className={classes(styles.tab, isChosen && styles.chosen)}>
            <button
              type="button"
              role="tab"
              id={idOf(tab)}
              aria-selected={isChosen}
              tabIndex={isChosen ? 0 : -1}
              className={styles.tabName}
              title={isShared ? EN_TERMINAL_PANE.sharedHint : EN_TERMINAL_PANE.ownHint(tab.number)}
              onClick={() => tabs.choose(tab.key)}
              onKeyDown={(event) => onKey(event, at)}
            >
              {nameOf(tab)}
            </button>
            {!isShared && (
              <Button
                tone="quiet"
                icon={<X size={12} aria-hidden />}
                name={EN_TERMINAL_PANE.remove(nameOf(tab))}
                onClick={() => void close(tab)}
              />
            )}
          </span>
        );
      })}
      <Button tone="quiet" icon={<Plus size={14} aria-hidden />} name={EN_TERMINAL_PANE.add} onClick={tabs.add} />
      {asked !== null && (
        <Dialog title={EN_TERMINAL_PANE.closing.title(asked.number)} onClose={() => setAsked(null)}>
          <div className={styles.question}>
            <p>{EN_TERMINAL_PANE.closing.text}</p>
            <p className={styles.answers}>
              <Button onClick={() => setAsked(null)}>{en.cancel}</Button>
              <Button
                tone="danger"
                onClick={() => {
                  setAsked(null);
                  void tabs.remove(asked.key, true);
                }}
              >
                {EN_TERMINAL_PANE.closing.act}
              </Button>
            </p>
          </div>
        </Dialog>
      )}
    </div>
  );
}

const idOf = (tab: TerminalTab): string => `terminal-tab-${tab.number}`;

/** Of a running command its first line. */
function nameOf({ number, command }: TerminalTab): string {
  const name = number === SHARED_TERMINAL ? EN_TERMINAL_PANE.shared : String(number);
  return command === null ? name : `${name} ${showName(command.split('\n', 1)[0] ?? '')}`;
}

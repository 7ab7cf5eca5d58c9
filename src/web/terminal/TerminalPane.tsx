/** A conversation's terminals, one at a time: the screen, marks beside its commands, and what can be done with them. Loaded on demand. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import type { Block, TerminalKey } from '../../contract/terminal.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { EN_TERMINAL_PANE } from '../strings/en-terminal-pane.ts';
import { showExact } from '../transcript/ansi.ts';
import { BlockPanel } from './BlockPanel.tsx';
import { describeEnd } from './describe-end.ts';
import { FindField } from './FindField.tsx';
import { Gutter } from './Gutter.tsx';
import { KeyBar } from './KeyBar.tsx';
import { keyAct } from './key-act.ts';
import { PaneHead } from './PaneHead.tsx';
import type { PanePanel } from './pane-panel.ts';
import { Strips } from './Strips.tsx';
import styles from './TerminalPane.module.css';
import { TerminalTabs } from './TerminalTabs.tsx';
import { openTerminalView, type TerminalView } from './terminal-view.ts';
import { useTabs } from './use-tabs.ts';

/** The drawer offers it only where there is a conversation. */
export function TerminalPane({ conversationId }: { readonly conversationId: ConversationId | null }) {
  return conversationId === null ? null : <Terminals key={conversationId} conversationId={conversationId} />;
}

function Terminals({ conversationId }: { readonly conversationId: ConversationId }) {
  const tabs = useTabs(conversationId);
  return (
    <section className={styles.pane} aria-label={en.terminal.label} data-terminal>
      {tabs.all.length > 1 && <TerminalTabs tabs={tabs} />}
      <Pane key={tabs.chosen} terminalKey={tabs.chosen} onAdd={tabs.all.length > 1 ? null : tabs.add} />
    </section>
  );
}

interface PaneProps {
  readonly terminalKey: TerminalKey;
  /** Null where the tabs have the button. */
  readonly onAdd: (() => void) | null;
}

function Pane({ terminalKey, onAdd }: PaneProps) {
  const host = useRef<HTMLDivElement>(null);
  const [panel, setPanel] = useState<PanePanel>('none');
  const [spoken, setSpoken] = useState('');
  const viewRef = useRef<TerminalView | null>(null);

  const jump = useCallback((by: 1 | -1) => {
    const block = viewRef.current?.jump(by) ?? null;
    setSpoken(
      block === null ? EN_TERMINAL_PANE.atEnd : EN_TERMINAL_PANE.atCommand(showExact(block.cmd), describeEnd(block)),
    );
  }, []);
  const onKey = useCallback(
    (event: KeyboardEvent): boolean => {
      const selection = viewRef.current?.screen.selection() ?? '';
      const act = keyAct(event, selection !== '');
      if (act === null) return false;
      if (event.type !== 'keydown' || act === 'page') return true;
      event.preventDefault();
      if (act === 'copy') void navigator.clipboard.writeText(selection);
      else if (act === 'find') setPanel('find');
      else jump(act === 'next' ? 1 : -1);
      return true;
    },
    [jump],
  );
  const { view, failure, retry } = useTerminal(terminalKey, host, onKey);
  viewRef.current = view;

  function close(): void {
    setPanel('none');
    view?.screen.focus();
  }

  return (
    <>
      <PaneHead view={view} panel={panel} onPanel={setPanel} onJump={jump} onAdd={onAdd} />
      <Strips terminalKey={terminalKey} view={view} failure={failure} onRetry={retry} />
      {view !== null && panel === 'find' && <FindField view={view} onClose={close} />}
      {view !== null && panel === 'commands' && <BlockPanel terminalKey={terminalKey} view={view} onClose={close} />}
      <div className={styles.stage}>
        {view !== null && <Gutter terminalKey={terminalKey} view={view} />}
        <div ref={host} className={styles.host} />
      </div>
      {view !== null && <KeyBar view={view} />}
      <div className="visually-hidden" role="status">
        {spoken}
      </div>
    </>
  );
}

interface Opened {
  readonly view: TerminalView | null;
  readonly failure: string | null;
  readonly retry: () => void;
}

/** Starts the shell if need be, and holds the terminal for as long as the pane is there. */
function useTerminal(
  terminalKey: TerminalKey,
  host: React.RefObject<HTMLDivElement | null>,
  onKey: (event: KeyboardEvent) => boolean,
): Opened {
  const { openTerminal, readBlocks, showFile } = useCommands();
  const fontSize = useApp((state) => state.device.terminalFontSize);
  const isSpoken = useApp((state) => state.device.isTerminalSpoken);
  const page = useApp((state) => state.page);
  const focusCount = useApp((state) => state.drawerCount);
  const [view, setView] = useState<TerminalView | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const look = useRef({ fontSize, isSpoken });
  look.current = { fontSize, isSpoken };

  // biome-ignore lint/correctness/useExhaustiveDependencies: attempt begins anew
  useEffect(() => {
    let opened: TerminalView | null = null;
    let isGone = false;
    void openTerminal(terminalKey).then(async (failed) => {
      if (isGone || host.current === null) return;
      setFailure(failed?.message ?? null);
      if (failed !== null) return;
      const addBlocks = async () => {
        const blocks: readonly Block[] | null = await readBlocks(terminalKey);
        if (!isGone && blocks !== null) opened?.addBlocks(blocks);
      };
      const onReturn = () => void addBlocks();
      opened = openTerminalView({
        terminalKey,
        host: host.current,
        look: look.current,
        onKey,
        onReturn,
        onFile: showFile,
      });
      setView(opened);
      await addBlocks();
    });
    return () => {
      isGone = true;
      opened?.close();
      setView(null);
    };
  }, [terminalKey, host, onKey, openTerminal, readBlocks, showFile, attempt]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme is read from the page
  useEffect(() => view?.setLook({ fontSize, isSpoken }), [view, fontSize, isSpoken, page]);
  useEffect(() => {
    if (view === null || host.current === null) return;
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const onScheme = () => view.setLook(look.current);
    scheme.addEventListener('change', onScheme);
    const observer = new ResizeObserver(view.fit);
    observer.observe(host.current);
    return () => {
      scheme.removeEventListener('change', onScheme);
      observer.disconnect();
    };
  }, [view, host]);
  useEffect(() => {
    if (focusCount > 0) view?.screen.focus();
  }, [view, focusCount]);

  return { view, failure, retry: () => setAttempt((count) => count + 1) };
}

/** The shell: conversations at the left, one conversation in the middle, overlays on top. */
import { type ReactNode, useRef } from 'react';
import type { ConversationId } from '../contract/ids.ts';
import styles from './App.module.css';
import { Confirmation } from './access/ConfirmStep.tsx';
import { AccountDialog } from './account/AccountDialog.tsx';
import { ApprovalDock } from './approvals/ApprovalDock.tsx';
import { Composer } from './composer/Composer.tsx';
import { GoesAlong } from './composer/GoesAlong.tsx';
import { QueueList } from './composer/QueueList.tsx';
import { ShellPrompt } from './composer/ShellPrompt.tsx';
import { Home } from './conversations/Home.tsx';
import { RenameDialog } from './conversations/RenameDialog.tsx';
import { Sidebar } from './conversations/Sidebar.tsx';
import { Drawer } from './drawer/Drawer.tsx';
import { FindBar } from './find/FindBar.tsx';
import { useJump } from './find/use-jump.ts';
import { Banner } from './header/Banner.tsx';
import { Details } from './header/Details.tsx';
import { Header } from './header/Header.tsx';
import { Ribbon } from './header/Ribbon.tsx';
import { Palette } from './palette/Palette.tsx';
import { ShortcutSheet } from './palette/ShortcutSheet.tsx';
import { useShortcuts } from './palette/use-shortcuts.ts';
import { Settings } from './settings/Settings.tsx';
import { useApp, useCommands } from './state/use-app.ts';
import { en } from './strings/en.ts';
import { TranscriptList } from './transcript/TranscriptList.tsx';
import { ProjectQuestion } from './trust/ProjectQuestion.tsx';
import { Button } from './ui/Button.tsx';
import { classes } from './ui/classes.ts';
import { Failed } from './ui/Failed.tsx';
import { FullPage } from './ui/FullPage.tsx';
import { Guard } from './ui/Guard.tsx';
import { Toasts } from './ui/Toasts.tsx';
import { useAttention } from './ui/use-attention.ts';
import { useViewport } from './ui/use-viewport.ts';

export function App() {
  const isSignedOut = useApp((state) => state.link === 'signed_out');
  if (isSignedOut) {
    return (
      <FullPage title={en.signedOut.title} text={en.signedOut.text}>
        <code>{en.signedOut.command}</code>
      </FullPage>
    );
  }
  return <Shell />;
}

function Shell() {
  const isSidebarShown = useApp((state) => state.device.isSidebarShown);
  const isSheetOpen = useApp((state) => state.overlay === 'sidebar');
  const { show } = useCommands();
  useShortcuts();
  useViewport();
  return (
    <div className={classes(styles.app, !isSidebarShown && styles.wide, isSheetOpen && styles.sheet)}>
      <button type="button" className={styles.skip} onClick={() => document.getElementById('composer')?.focus()}>
        {en.skipToComposer}
      </button>
      <Part>
        <Sidebar />
      </Part>
      {isSheetOpen && (
        <button type="button" className={styles.scrim} aria-label={en.sidebar.hide} onClick={() => show('none')} />
      )}
      <Middle />
      <Part>
        <Drawer />
      </Part>
      <Part>
        <Overlays />
      </Part>
      <Part>
        <Confirmation />
      </Part>
      <Toasts />
      <Spoken />
      <Guard fallback={() => null}>
        <Attention />
      </Guard>
    </div>
  );
}

function Middle() {
  const openId = useApp((state) => state.openId);
  const openState = useApp((state) => state.openState);
  return (
    <main className={styles.middle}>
      <Part of={openId}>
        <Header />
      </Part>
      <Part>
        <Banner />
      </Part>
      {openId === null && <Home />}
      {openId !== null && openState === 'missing' && <p className={styles.missing}>{en.empty.missing}</p>}
      {openId !== null && openState !== 'missing' && (
        <>
          <Part of={openId}>
            <ProjectQuestion key={`project-${openId}`} />
          </Part>
          <Part of={openId}>
            <FindBar key={`find-${openId}`} conversationId={openId} />
          </Part>
          <Guard of={openId} fallback={() => <NoTranscript />}>
            <Conversation key={openId} />
          </Guard>
          <Part of={openId}>
            <Ribbon />
          </Part>
          {/* Outside every boundary: a request can be answered and a turn stopped whatever else fails. */}
          <div className={styles.dock}>
            <ApprovalDock />
            <Part of={openId}>
              <QueueList />
              <GoesAlong />
            </Part>
            <Guard of={openId} fallback={() => <StopOnly conversationId={openId} />}>
              <Writing key={openId} conversationId={openId} />
            </Guard>
          </div>
        </>
      )}
    </main>
  );
}

/** Title, icon and notices; a component, so that a name that fails takes nothing else along. */
function Attention() {
  useAttention();
  return null;
}

function Part({ of, children }: { readonly of?: unknown; readonly children: ReactNode }) {
  return (
    <Guard of={of} fallback={() => <Failed notice={en.crash.part} />}>
      {children}
    </Guard>
  );
}

function NoTranscript() {
  return (
    <div className={styles.missing}>
      <Failed notice={en.crash.transcript}>
        <Button onClick={() => location.reload()}>{en.crash.reload}</Button>
      </Failed>
    </div>
  );
}

/** In the place of a message box that failed: the turn can still be stopped. */
function StopOnly({ conversationId }: { readonly conversationId: ConversationId }) {
  const isRunning = useApp((state) => state.view.live.activity.state !== 'idle');
  const { interrupt } = useCommands();
  return (
    <Failed notice={en.crash.writing}>
      {isRunning && (
        <Button tone="danger" onClick={() => void interrupt(conversationId)}>
          {en.composer.stop}
        </Button>
      )}
    </Failed>
  );
}

/** Where a person writes: messages, or commands. */
function Writing({ conversationId }: { readonly conversationId: ConversationId }) {
  const isShellMode = useApp((state) => state.isShellMode);
  if (isShellMode) return <ShellPrompt conversationId={conversationId} />;
  return <Composer conversationId={conversationId} />;
}

function Conversation() {
  const isEmpty = useApp((state) => state.transcript.keys.length === 0 && state.outbox.length === 0);
  const openState = useApp((state) => state.openState);
  // A jump away from what is loaded begins the list anew, with other rows.
  const listKey = useApp((state) => (state.jump?.isRemount ? state.jump.count : 0));
  const frame = useRef<HTMLDivElement>(null);
  useJump(frame);
  if (!isEmpty) {
    return (
      <div ref={frame} className={styles.frame}>
        <TranscriptList key={listKey} />
      </div>
    );
  }
  return <p className={styles.missing}>{openState === 'ready' ? en.empty.begin : en.loading}</p>;
}

function Overlays() {
  const overlay = useApp((state) => state.overlay);
  switch (overlay) {
    case 'palette':
      return <Palette />;
    case 'shortcuts':
      return <ShortcutSheet />;
    case 'settings':
      return <Settings />;
    case 'details':
      return <Details />;
    case 'account':
      return <AccountDialog />;
    case 'rename':
      return <RenameDialog />;
    case 'none':
    case 'sidebar':
    // Shown by the question itself, which knows the project.
    case 'project':
      return null;
    default:
      return overlay satisfies never;
  }
}

function Spoken() {
  const spoken = useApp((state) => state.spoken);
  return (
    <div className="visually-hidden" role="log" aria-live="polite">
      {spoken}
    </div>
  );
}

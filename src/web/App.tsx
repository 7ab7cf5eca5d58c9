/** The shell: conversations at the left, one conversation in the middle, overlays on top. */
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import type { ConversationId } from '../contract/ids.ts';
import styles from './App.module.css';
import { NewLogins } from './access/NewLogins.tsx';
import { ApprovalDock } from './approvals/ApprovalDock.tsx';
import { Composer } from './composer/Composer.tsx';
import { GoesAlong } from './composer/GoesAlong.tsx';
import { HeldElsewhere } from './composer/HeldElsewhere.tsx';
import { Home } from './conversations/Home.tsx';
import { Sidebar } from './conversations/Sidebar.tsx';
import { Drawer } from './drawer/Drawer.tsx';
import { useFileLinks } from './files/use-file-links.ts';
import { useJump } from './find/use-jump.ts';
import { Banner } from './header/Banner.tsx';
import { Header } from './header/Header.tsx';
import { Ribbon } from './header/Ribbon.tsx';
import { useShortcuts } from './palette/use-shortcuts.ts';
import { AppContext, type App as AppParts, useApp, useCommands, useIsFocused, useWhole } from './state/use-app.ts';
import { en } from './strings/en.ts';
import { RowCard } from './transcript/RowCard.tsx';
import { TranscriptList } from './transcript/TranscriptList.tsx';
import { Button } from './ui/Button.tsx';
import { classes } from './ui/classes.ts';
import { Failed } from './ui/Failed.tsx';
import { FullPage } from './ui/FullPage.tsx';
import { Guard } from './ui/Guard.tsx';
import { HeldKeys } from './ui/HeldKeys.tsx';
import { lazyPart } from './ui/lazy-part.tsx';
import { Toasts } from './ui/Toasts.tsx';
import { useViewport } from './ui/use-viewport.ts';

/** Large enough for a chunk of its own. */
const Settings = lazy(async () => ({ default: (await import('./settings/Settings.tsx')).Settings }));

const Attention = lazyPart((later) => later.Attention, { isPatient: true });
const BesidePane = lazyPart((later) => later.BesidePane);
const Confirmation = lazyPart((later) => later.Confirmation);
const Dialogs = lazyPart((later) => later.Dialogs);
const FindBar = lazyPart((later) => later.FindBar, { fallback: <Held /> });
const MarkedWords = lazyPart((later) => later.MarkedWords);
const Palette = lazyPart((later) => later.Palette, { fallback: <Held /> });
const ProjectQuestion = lazyPart((later) => later.ProjectQuestion, { isPatient: true });
const QueueList = lazyPart((later) => later.QueueList, { isPatient: true });
const ShellPrompt = lazyPart((later) => later.ShellPrompt, { fallback: <Held /> });
const SubAgentDialog = lazyPart((later) => later.SubAgentDialog);

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
  const besideId = useApp((state) => state.beside);
  const [beside, setBeside] = useState<AppParts | null>(null);
  useViewport();
  const isFocused = useApp((state) => state.isBesideFocused);
  const page = useWhole();
  // What is there once for both conversations acts on the one that has the focus.
  const focused = isFocused && beside !== null ? beside : page;
  return (
    <div className={classes(styles.app, !isSidebarShown && styles.wide, isSheetOpen && styles.sheet)}>
      <AppContext value={focused}>
        <Everywhere />
      </AppContext>
      <button type="button" className={styles.skip} onClick={() => document.getElementById('composer')?.focus()}>
        {en.skipToComposer}
      </button>
      <AppContext value={focused}>
        <Part>
          <Sidebar />
        </Part>
      </AppContext>
      {isSheetOpen && (
        <button type="button" className={styles.scrim} aria-label={en.sidebar.hide} onClick={() => show('none')} />
      )}
      <Middle />
      {besideId !== null && (
        <Part>
          <BesidePane id={besideId} key={besideId} onApp={setBeside}>
            <Middle />
          </BesidePane>
        </Part>
      )}
      <AppContext value={focused}>
        <Part>
          <Drawer />
        </Part>
        <Part>
          <Suspense fallback={null}>
            <Overlays />
          </Suspense>
        </Part>
        <Part>
          <ShownAgent />
        </Part>
      </AppContext>
      <Part>
        <NewLogins />
      </Part>
      <Part>
        <Confirming />
      </Part>
      <Toasts />
      <Spoken />
      <Guard fallback={() => null}>
        <Attention />
      </Guard>
    </div>
  );
}

/** Keys and links of the whole page. */
function Everywhere(): null {
  useShortcuts();
  useFileLinks();
  return null;
}

function Middle() {
  const openId = useApp((state) => state.openId);
  const openState = useApp((state) => state.openState);
  const isBeside = useApp((state) => state.isBeside);
  const { focusPane } = useCommands();
  const isFocused = useIsFocused();
  const Root = isBeside ? 'div' : 'main';
  return (
    <Root
      className={styles.middle}
      data-focused={isFocused ? '' : undefined}
      onPointerDownCapture={focusPane}
      onFocusCapture={focusPane}
    >
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
            <Finding key={`find-${openId}`} conversationId={openId} />
          </Part>
          <Guard of={openId} fallback={() => <NoTranscript />}>
            <Conversation key={openId} />
          </Guard>
          <div className={styles.ribbon}>
            <Part of={openId}>
              <Ribbon />
            </Part>
          </div>
          {/* Outside every boundary: a request can be answered and a turn stopped whatever else fails. */}
          <div className={styles.dock}>
            <ApprovalDock />
            <Part of={openId}>
              <HeldElsewhere />
              <QueueList />
              <GoesAlong />
            </Part>
            <Guard of={openId} fallback={() => <StopOnly conversationId={openId} />}>
              <Writing key={openId} conversationId={openId} />
            </Guard>
          </div>
        </>
      )}
    </Root>
  );
}

function Confirming() {
  const isAsked = useApp((state) => state.confirmation !== null);
  return isAsked && <Confirmation />;
}

function ShownAgent() {
  const threadId = useApp((state) => state.shownAgent);
  return threadId !== null && <SubAgentDialog threadId={threadId} card={RowCard} />;
}

function Finding({ conversationId }: { readonly conversationId: ConversationId }) {
  const isFinding = useApp((state) => state.isFinding);
  return isFinding && <FindBar conversationId={conversationId} />;
}

/** In the place of a part that a key has opened and whose code is not there yet. */
function Held() {
  const { show, setFinding, setShellMode } = useCommands();
  return (
    <HeldKeys
      onEscape={() => {
        show('none');
        setFinding(false);
        setShellMode(false);
      }}
    />
  );
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
  const isMarked = useApp((state) => state.isFinding && state.sought !== '');
  useJump(frame);
  if (!isEmpty) {
    return (
      <div ref={frame} className={styles.frame}>
        <TranscriptList key={listKey} />
        {isMarked && <MarkedWords frame={frame} />}
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
    case 'settings':
      return <Settings />;
    case 'none':
    case 'sidebar':
    // Shown by the question itself, which knows the project.
    case 'project':
      return null;
    default:
      return <Dialogs name={overlay} />;
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

/** What the drawer can show. A room adds its panel here; its code is fetched when it is first opened. */

import { Boxes, CalendarClock, FileDiff, FileText, Inbox, MessagesSquare, SquareTerminal } from 'lucide-react';
import { type ComponentType, type LazyExoticComponent, lazy, type ReactNode } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import { trimEndOf } from '../../core/text/trim-end.ts';
import { FILE_PANEL } from '../state/file-commands.ts';
import type { AppState } from '../state/store.ts';
import { TERMINAL_PANEL } from '../state/terminal-commands.ts';
import { useApp } from '../state/use-app.ts';
import { en } from '../strings/en.ts';

interface PanelProps {
  /** The open conversation; null on the home page. */
  readonly conversationId: ConversationId | null;
}

export interface Panel {
  /** Also what the browser remembers as the open panel. */
  readonly id: string;
  readonly name: string;
  readonly icon: ReactNode;
  readonly Body: LazyExoticComponent<ComponentType<PanelProps>>;
  /** Without one there is nothing to show, and the panel is not offered. */
  readonly needsConversation: boolean;
  /** How much waits in it; 0 shows nothing. */
  readonly count?: (state: AppState) => number;
  /** The page opened at this path begins with the panel open. */
  readonly path?: string;
  /** There is something to show; without it the panel is always offered. */
  readonly hasContent?: (state: Offering) => boolean;
}

const PANELS: readonly Panel[] = [
  {
    id: TERMINAL_PANEL,
    name: en.terminal.label,
    icon: <SquareTerminal size={16} aria-hidden />,
    Body: lazy(async () => ({ default: (await import('../terminal/TerminalPane.tsx')).TerminalPane })),
    needsConversation: true,
  },
  {
    id: 'events',
    name: en.events.label,
    icon: <Inbox size={16} aria-hidden />,
    Body: lazy(() => import('../events/EventsPanel.tsx').then(({ EventsPanel }) => ({ default: EventsPanel }))),
    needsConversation: true,
    count: ({ openId, unreadEvents }) => (openId === null ? 0 : (unreadEvents.get(openId) ?? 0)),
  },
  {
    id: 'changes',
    name: en.drawer.changes,
    icon: <FileDiff size={16} aria-hidden />,
    Body: lazy(async () => ({ default: (await import('../changes/ChangesPanel.tsx')).ChangesPanel })),
    needsConversation: true,
  },
  {
    id: 'board',
    name: en.board.label,
    icon: <MessagesSquare size={16} aria-hidden />,
    Body: lazy(async () => ({ default: (await import('../board/BoardPane.tsx')).BoardPane })),
    needsConversation: false,
    count: (state) => state.boardUnread,
    path: '/board',
  },
  {
    id: 'shells',
    name: en.drawer.shells,
    icon: <Boxes size={16} aria-hidden />,
    Body: lazy(async () => ({ default: (await import('../shells/ShellsPanel.tsx')).ShellsPanel })),
    needsConversation: false,
    path: '/fws/',
  },
  {
    id: 'schedules',
    name: en.drawer.schedules,
    icon: <CalendarClock size={16} aria-hidden />,
    Body: lazy(async () => ({ default: (await import('../schedules/SchedulesPanel.tsx')).SchedulesPanel })),
    needsConversation: false,
  },
  {
    id: FILE_PANEL,
    name: en.drawer.file,
    icon: <FileText size={16} aria-hidden />,
    Body: lazy(async () => ({ default: (await import('../files/FilePanel.tsx')).FilePanel })),
    needsConversation: true,
    hasContent: ({ shownFile }) => shownFile !== null,
  },
];

type Offering = Pick<AppState, 'openId' | 'shownFile'>;

export function useOfferedPanels(): readonly Panel[] {
  const openId = useApp((state) => state.openId);
  const shownFile = useApp((state) => state.shownFile);
  return offeredPanels({ openId, shownFile });
}

export function offeredPanels(state: Offering): readonly Panel[] {
  return PANELS.filter(
    (panel) => (state.openId !== null || !panel.needsConversation) && (panel.hasContent?.(state) ?? true),
  );
}

export function panelOfPath(pathname: string): string | null {
  const bare = trimEndOf(pathname, '/');
  return PANELS.find((panel) => panel.path !== undefined && trimEndOf(panel.path, '/') === bare)?.id ?? null;
}

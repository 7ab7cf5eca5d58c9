/** Keys that work everywhere on the page. */
import { useEffect } from 'react';
import { groupConversations } from '../conversations/group-conversations.ts';
import type { Commands } from '../state/commands.ts';
import type { AppState } from '../state/store.ts';
import { useCommands, useGetState } from '../state/use-app.ts';

export function useShortcuts(): void {
  const commands = useCommands();
  const getState = useGetState();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      if (perform(event, getState(), commands)) event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [commands, getState]);
}

/** True when the key was one of ours. */
function perform(event: KeyboardEvent, state: AppState, commands: Commands): boolean {
  const hasControl = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (hasControl && key === 'k') {
    commands.show(state.overlay === 'palette' ? 'none' : 'palette');
    return true;
  }
  if (hasControl && event.shiftKey && key === 'o') {
    commands.go(null);
    return true;
  }
  if (hasControl && event.shiftKey && key === 'f' && state.openId !== null) {
    // Again with the bar open: back into its field.
    const field = document.querySelector<HTMLInputElement>('search input');
    if (field === null) commands.setFinding(true);
    else field.select();
    return true;
  }
  if (hasControl && !event.shiftKey && key === 'b') {
    commands.setDevice({ isSidebarShown: !state.device.isSidebarShown });
    return true;
  }
  if (event.ctrlKey && event.code === 'Backquote' && state.openId !== null) {
    if (event.shiftKey) commands.setShellMode(!state.isShellMode);
    else toggleTerminal(event, commands);
    return true;
  }
  if (hasControl && event.shiftKey && key === 'e') {
    document.getElementById('composer')?.focus();
    return true;
  }
  if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
    return step(event.key === 'ArrowUp' ? -1 : 1, state, commands);
  }
  const isInText = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
  if (isInText || hasControl || event.altKey || state.overlay !== 'none') return false;
  if (event.key === '/') document.getElementById('composer')?.focus();
  else if (event.key === '?') commands.show('shortcuts');
  else if (event.key === 'End' && !isInRequest(event)) commands.setFollow('pinned');
  else return false;
  return true;
}

/** There End goes to the end of what is asked. */
function isInRequest({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('[data-approval]') !== null;
}

/** From outside it opens or gets the focus; from inside it closes. */
function toggleTerminal(event: KeyboardEvent, commands: Commands): void {
  const isInside = event.target instanceof Element && event.target.closest('[data-terminal]') !== null;
  commands.showTerminal(!isInside);
  if (isInside) document.getElementById('composer')?.focus({ preventScroll: true });
}

function step(by: number, state: AppState, commands: Commands): boolean {
  const rows = groupConversations(state.list.values()).flatMap((group) => group.rows);
  const at = rows.findIndex((row) => row.id === state.openId);
  const next = rows[at < 0 ? 0 : (at + by + rows.length) % rows.length];
  if (next !== undefined) commands.go(next.id);
  return true;
}

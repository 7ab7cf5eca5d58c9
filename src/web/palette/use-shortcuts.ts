/** Keys that work everywhere on the page. */
import { useEffect } from 'react';
import type { ActId } from '../../contract/page-names.ts';
import { actOfKeys, isForTexts, keysPressed } from '../../core/page/key-bindings.ts';
import { groupConversations, nextWaiting } from '../conversations/group-conversations.ts';
import type { Commands } from '../state/commands.ts';
import type { AppState } from '../state/store.ts';
import { useCommands, useGetState } from '../state/use-app.ts';
import { stepPrompt } from '../transcript/step-prompt.ts';

export function useShortcuts(): void {
  const commands = useCommands();
  const getState = useGetState();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const state = getState();
      const keys = keysPressed(event);
      const act = keys === null ? null : actOfKeys(keys, state.page.keys);
      if (keys === null || act === null || (isForTexts(keys) && isTaken(event, state))) return;
      if (perform(act, event, state, commands)) event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [commands, getState]);
}

/** A key without a modifier is no act of ours in a text, or while something lies over the page. */
function isTaken({ target }: KeyboardEvent, { overlay }: AppState): boolean {
  return overlay !== 'none' || (target instanceof HTMLElement && target.matches('input, textarea, select'));
}

/** True when the key was one of ours. */
function perform(act: ActId, event: KeyboardEvent, state: AppState, commands: Commands): boolean {
  const hasOpen = state.openId !== null;
  switch (act) {
    case 'palette':
      commands.show(state.overlay === 'palette' ? 'none' : 'palette');
      return true;
    case 'new':
      commands.startNew();
      return true;
    case 'find':
      return hasOpen && find(commands);
    case 'sidebar':
      commands.setDevice({ isSidebarShown: !state.device.isSidebarShown });
      return true;
    case 'previous':
    case 'next':
      return step(act === 'next' ? 1 : -1, state, commands);
    case 'waiting':
      return goToWaiting(state, commands);
    case 'previous_prompt':
    case 'next_prompt':
      if (hasOpen) stepPrompt(act === 'next_prompt' ? 1 : -1, state, commands);
      return hasOpen;
    case 'box':
    case 'box_too':
      document.getElementById('composer')?.focus();
      return true;
    case 'end':
      if (isInRequest(event)) return false;
      commands.setFollow('pinned');
      return true;
    case 'terminal':
      if (hasOpen) toggleTerminal(event, commands);
      return hasOpen;
    case 'shell_mode':
      if (hasOpen) commands.setShellMode(!state.isShellMode);
      return hasOpen;
    case 'beside':
      return goBeside(state, commands);
    case 'close_beside':
      commands.setBeside(null);
      return true;
    case 'settings':
      commands.show('settings');
      return true;
    case 'shortcuts':
      commands.show('shortcuts');
      return true;
    default:
      return act satisfies never;
  }
}

function find(commands: Commands): boolean {
  // Again with the bar open: back into its field.
  const field = document.querySelector<HTMLInputElement>('[data-focused] search input');
  if (field === null) commands.setFinding(true);
  else field.select();
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

/** To the other conversation; with one alone, the one that was used last comes beside it. */
function goBeside(state: AppState, commands: Commands): boolean {
  const rows = [...state.list.values()].filter((row) => row.id !== state.openId && !row.archived);
  const last = rows.sort((a, b) => b.active_at.localeCompare(a.active_at))[0];
  if (state.beside !== null) commands.focusOther();
  else if (last !== undefined) commands.setBeside(last.id);
  return true;
}

function step(by: number, state: AppState, commands: Commands): boolean {
  const rows = groupConversations(state.list.values()).flatMap((group) => group.rows);
  const at = rows.findIndex((row) => row.id === state.openId);
  const next = rows[at < 0 ? 0 : (at + by + rows.length) % rows.length];
  if (next !== undefined) commands.go(next.id);
  return true;
}

/** What waits for an answer, then what failed or has news; from the open one on, around. */
function goToWaiting(state: AppState, commands: Commands): boolean {
  const next = nextWaiting(state.list.values(), state.openId);
  if (next !== null) commands.go(next);
  return true;
}

/** What a second conversation keeps for itself, and what it shares with the page. */
import { expect, test } from 'vitest';
import { createAppStore } from '../state/store.ts';
import { createPaneStore } from './pane-store.ts';

const FIRST = `conv_${'1'.repeat(32)}` as const;
const OTHER = `conv_${'2'.repeat(32)}` as const;

test('[PG371] what belongs to a conversation stays apart, all else is that of the page, both ways', () => {
  const page = createAppStore();
  page.setState({ openId: FIRST });
  const pane = createPaneStore(page, OTHER);
  pane.setState({ follow: 'free', overlay: 'rename' });
  expect(page.getState()).toMatchObject({ openId: FIRST, follow: 'pinned', overlay: 'rename', isBeside: false });
  page.setState({ link: 'open', isShellMode: true });
  expect(pane.getState()).toMatchObject({ openId: OTHER, follow: 'free', link: 'open', isShellMode: false });
  expect(pane.getState()).toMatchObject({ overlay: 'rename', isBeside: true });
});

test('[PG371] a closed one hears nothing of the page any more', () => {
  const page = createAppStore();
  const pane = createPaneStore(page, OTHER);
  pane.detach();
  page.setState({ link: 'lost' });
  expect(pane.getState().link).toBe('connecting');
});

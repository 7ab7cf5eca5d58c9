/** What widths the drawer takes. */
import { expect, test } from 'vitest';
import {
  boundShare,
  boundWidth,
  DEFAULT_DRAWER_WIDTH,
  MAX_DRAWER_WIDTH,
  MIN_DRAWER_WIDTH,
  openPanels,
  placeDrawer,
} from './drawer-width.ts';

test('[PG40] a width is kept within what leaves both sides readable', () => {
  expect([0, 400.4, 5_000, Number.NaN].map(boundWidth)).toEqual([
    MIN_DRAWER_WIDTH,
    400,
    MAX_DRAWER_WIDTH,
    DEFAULT_DRAWER_WIDTH,
  ]);
});

test('[PG222] the drawer lies beside the conversation while both can be read, else over it', () => {
  expect(placeDrawer(1_600, 264, 520)).toEqual({ isOver: false, width: 520, max: 936 });
  expect(placeDrawer(1_280, 264, 900)).toEqual({ isOver: false, width: 616, max: 616 });
  expect(placeDrawer(820, 264, 520)).toEqual({ isOver: true, width: 520, max: 772 });
  expect(placeDrawer(820, 0, 520)).toEqual({ isOver: false, width: 420, max: 420 });
  for (let window = 320; window < 2_600; window += 13) {
    const { isOver, width } = placeDrawer(window, 264, 1_000);
    if (!isOver) expect(window - 264 - width).toBeGreaterThanOrEqual(400);
    expect(width).toBeGreaterThanOrEqual(MIN_DRAWER_WIDTH);
  }
});

test('[PG224] opening the lower panel swaps it with the upper one; no panel is there twice', () => {
  const both = { drawer: 'terminal', drawerBelow: 'events' };
  expect(openPanels(both, { drawer: 'events' })).toEqual({ drawer: 'events', drawerBelow: 'terminal' });
  expect(openPanels(both, { drawer: 'board' })).toEqual({ drawer: 'board', drawerBelow: 'events' });
  expect(openPanels(both, { drawer: null })).toEqual({ drawer: null, drawerBelow: 'events' });
  expect(openPanels({ drawer: null, drawerBelow: 'events' }, { drawer: 'events' })).toEqual({
    drawer: 'events',
    drawerBelow: null,
  });
  expect(openPanels(both, { drawerBelow: 'terminal' })).toEqual({ drawer: 'terminal', drawerBelow: null });
});

test('[PG224] a share of the height leaves room for both panels', () => {
  expect([0, 33.4, 99, Number.NaN].map(boundShare)).toEqual([20, 33, 80, 55]);
});

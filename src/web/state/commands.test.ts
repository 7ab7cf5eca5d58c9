/** What the page does when its socket is open again. */
import { expect, test } from 'vitest';
import { fail } from '../../contract/result.ts';
import { createCommands } from './commands.ts';
import { createAppStore } from './store.ts';

test('[EP3] events that came while the socket was away are read again with everything else', async () => {
  const store = createAppStore();
  store.setState({ unreadEvents: new Map([['conv_a', 3]]), eventNews: 7 });
  await createCommands(store, async () => fail('internal', 'of no interest here')).refresh();
  expect(store.getState().unreadEvents.size).toBe(0);
  expect(store.getState().eventNews).toBe(8);
});

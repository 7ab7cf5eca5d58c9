/** What two clients do to the same conversations at the same time, made from a seed alone. Pure, so that `--interleave --seed N --rounds 1` repeats it. */
import { randomFrom } from './random.mjs';

/** How often each operation is chosen. */
const OPERATIONS = {
  send: 6,
  steer: 4,
  queue: 3,
  interrupt: 3,
  compact: 2,
  review: 2,
  fork: 2,
  revert: 2,
  archive: 2,
  unarchive: 2,
  delete: 1.5,
  restore: 1.5,
  rename: 2,
};
const CONVERSATIONS = 2;
const STEPS_EACH = 9;
/** Around the time that Codex needs for a request. */
const MAX_PAUSE_MS = 60;

export function planInterleaving(seed) {
  const random = randomFrom(seed);
  const tag = seed.toString(36);
  let number = 0;
  const step = () => {
    number += 1;
    const operation = random.weighted(OPERATIONS);
    const marker = `[i-${tag}-${number}]`;
    const behavior = random.weighted({ '': 4, '{slow:20}': 3, '{slow:90}': 3 });
    return {
      operation,
      conversation: random.int(0, CONVERSATIONS - 1),
      id: `i-${tag}-${number}`,
      marker,
      text: `${marker} ${behavior}`,
      /** Which of the turns that ended is forked from or reverted to, as a share of them. */
      at: random.next(),
      /** Whether the client waits for the answer before its next step. */
      isAwaited: random.chance(0.6),
      pauseMs: random.chance(0.5) ? 0 : random.int(0, MAX_PAUSE_MS),
    };
  };
  const client = () => Array.from({ length: STEPS_EACH }, step);
  return { seed, tag, conversations: CONVERSATIONS, clients: [client(), client()] };
}

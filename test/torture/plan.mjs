/**
 * The plan of one round, made from its seed alone: which messages, events, posts and commands are submitted, and which fault strikes
 * when. Pure, so that `--seed N --rounds 1` repeats the round.
 */
import { randomFrom } from './random.mjs';

/** What a round is about. `--only` chooses among these. */
export const KINDS = {
  'kill-server': 6,
  'kill-codex': 6,
  'kill-both': 2,
  'kill-at': 6,
  'kill-pty-host': 1,
  'pause-codex': 1,
  'pause-server': 1,
  stop: 2,
  'no-fault': 1,
  'full-disk': 0.5,
  'failing-sync': 0.5,
};

/** The points at which the server kills itself when `SIGNALBOX_KILL_AT` names one. */
const OUTPUTS = ['store', 'give', 'entry', 'remove_from_queue', 'settle'];
const CONVERSATIONS = 2;
/** The window after an answer in which Codex has accepted a message and not yet stored it. */
const MAX_PAUSE_MS = 40;

export function planRound(seed, only = []) {
  const random = randomFrom(seed);
  const weights = Object.fromEntries(
    Object.entries(KINDS).filter(([kind]) => only.length === 0 || only.includes(kind)),
  );
  const kind = random.weighted(weights);
  const tag = seed.toString(36);
  let number = 0;
  const mark = (letter) => {
    number += 1;
    return `[${letter}-${tag}-${number}]`;
  };
  const sent = [];

  const message = () => {
    const conversation = random.int(0, CONVERSATIONS - 1);
    const mode = random.weighted({ send: 5, queue: 3, steer: 3 });
    const behaviour = random.weighted({ '': 4, '{slow:15}': 4, '{slow:60}': 2, '{ask}': 2 });
    const marker = mark('m');
    const step = {
      do: 'message',
      conversation,
      mode,
      marker,
      id: `c-${tag}-${number}`,
      text: `${marker} ${behaviour}`,
    };
    sent.push(step);
    return step;
  };
  const event = () => {
    const conversation = random.int(0, CONVERSATIONS - 1);
    const delivery = random.weighted({ queue: 3, append: 3, auto: 2, steer: 3, 'other-turn': 1 });
    const way = random.weighted({ http: 4, socket: 2, inbox: 2, drop: 1 });
    return { do: 'event', conversation, way, delivery, marker: mark('e'), id: `e-${tag}-${number}` };
  };
  const terminal = () => ({ do: 'terminal', conversation: random.int(0, CONVERSATIONS - 1), marker: mark('t') });
  const submit = () => {
    const what = random.weighted({
      message: 10,
      repeat: sent.length > 0 ? 4 : 0,
      event: 5,
      post: 1.5,
      terminal: 0.7,
      answer: 2,
    });
    if (what === 'message') return message();
    if (what === 'repeat') return { ...random.pick(sent), do: 'repeat' };
    if (what === 'event') return event();
    if (what === 'post') return { do: 'post', marker: mark('p'), id: `p-${tag}-${number}`, times: random.int(1, 2) };
    if (what === 'terminal') return terminal();
    return { do: 'answer', conversation: random.int(0, CONVERSATIONS - 1) };
  };
  const paced = (step) => ({
    ...step,
    /** Whether the next step waits for the answer of this one. */
    isAwaited: random.chance(0.75),
    pauseMs: random.chance(0.4) ? 0 : random.int(0, MAX_PAUSE_MS),
  });

  // A conversation whose first message meets the fault has no thread that Codex could find again: worth a third of the rounds.
  const isWarm = Array.from({ length: CONVERSATIONS }, () => random.chance(0.67));
  const steps = [];
  const faults = faultsOf(kind, random);
  const early = random.int(1, 5);
  for (let n = 0; n < early; n += 1) steps.push(paced(submit()));
  // The point is reached at its n-th occurrence: that takes some messages.
  if (kind === 'kill-at') for (let n = 0; n < 4; n += 1) steps.push(paced(message()));
  // There is no pty host before the first command.
  if (kind === 'kill-pty-host') for (let n = 0; n < 2; n += 1) steps.push({ ...paced(terminal()), isAwaited: n === 0 });
  for (const fault of faults) {
    // Most faults strike right after a message was answered.
    if (random.chance(0.8)) steps.push({ ...paced(message()), isAwaited: random.chance(0.8) });
    steps.push(fault);
    const later = random.int(0, 3);
    for (let n = 0; n < later; n += 1) steps.push(paced(submit()));
  }
  // Clients repeat what was not answered, and sometimes what was.
  for (const step of sent) if (random.chance(0.3)) steps.push(paced({ ...step, do: 'repeat' }));
  const killAt =
    kind === 'kill-at' ? `${random.pick(['before', 'after'])}:${random.pick(OUTPUTS)}:${random.int(1, 4)}` : null;
  return { seed, tag, kind, conversations: CONVERSATIONS, isWarm, killAt, steps };
}

function faultsOf(kind, random) {
  const fault = (name, more = {}) => ({ do: 'fault', name, pauseMs: 0, isAwaited: true, ...more });
  switch (kind) {
    case 'kill-server':
    case 'kill-codex':
      return Array.from({ length: random.int(1, 2) }, () => fault(kind));
    case 'kill-both':
      return random.chance(0.5)
        ? [fault('kill-server'), fault('kill-codex')]
        : [fault('kill-codex'), fault('kill-server')];
    case 'pause-codex':
    case 'pause-server':
      return [fault(kind, { forMs: random.int(20, 300) }), ...(random.chance(0.5) ? [fault('kill-codex')] : [])];
    case 'full-disk':
    case 'failing-sync':
      return [fault(`${kind}-on`), fault(`${kind}-off`)];
    case 'kill-pty-host':
    case 'stop':
      return [fault(kind)];
    default:
      return [];
  }
}

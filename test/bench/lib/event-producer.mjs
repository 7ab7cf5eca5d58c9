/** A producer in a process of its own that sends events over the socket at a given rate until it is stopped. */
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { countLines, eventLine } from './event-target.mjs';
import { answerCommands } from './stand.mjs';

export const EVENT_PRODUCER = fileURLToPath(import.meta.url);

/** Written at once: often enough to be a flow, seldom enough for timers to keep up. */
const STEP_MS = 5;

let flow = null;

function begin({ path, token, threadId, perSecond, atMost }) {
  const lines = Array.from({ length: atMost }, () => eventLine(token, threadId));
  const socket = connect(path);
  const state = { socket, sent: 0, taken: 0, refused: 0, fromMs: performance.now(), timer: null };
  socket.on('data', (chunk) => {
    const answered = countLines(chunk);
    const refused = chunk.toString('latin1').split('"ok":false').length - 1;
    state.taken += answered - refused;
    state.refused += refused;
  });
  state.timer = setInterval(() => {
    const due = Math.min(lines.length, Math.floor(((performance.now() - state.fromMs) / 1000) * perSecond));
    if (due > state.sent) socket.write(lines.slice(state.sent, due).join(''));
    state.sent = due;
  }, STEP_MS);
  return state;
}

const COMMANDS = {
  async begin(options) {
    flow = begin(options);
  },
  async end() {
    const { socket, timer, taken, refused, sent, fromMs } = flow;
    const tookMs = performance.now() - fromMs;
    clearInterval(timer);
    socket.destroy();
    return { perSecond: (taken / tookMs) * 1000, sent, refused };
  },
};

if (process.argv[1] === EVENT_PRODUCER) answerCommands(({ command, ...options }) => COMMANDS[command](options));

/** Takes events as the server's socket does and answers each, but keeps none: what a flood costs a machine before anybody does anything with it. */
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { countLines } from './event-target.mjs';
import { answerCommands } from './stand.mjs';

export const EVENT_SINK = fileURLToPath(import.meta.url);

/** As long as the server's own. */
const ANSWER = `${JSON.stringify({
  ok: true,
  event_id: 'evt_bench_123456_12345',
  delivered: { thread_id: '01890000-0000-7000-8000-000000000000', mode: 'queue_for_next_turn' },
})}\n`;

const COMMANDS = {
  listen: ({ path }) =>
    new Promise((done) => {
      const server = createServer((socket) => {
        socket.on('error', () => socket.destroy());
        socket.on('data', (chunk) => socket.write(ANSWER.repeat(countLines(chunk))));
      });
      server.listen(path, () => done());
    }),
};

if (process.argv[1] === EVENT_SINK) answerCommands(({ command, ...options }) => COMMANDS[command](options));

/** Words about what goes along with messages. Part of `en`. */
import { plural } from './plural.ts';

export const EN_CONTEXT = {
  context: {
    title: 'Goes along with your messages',
    hint: 'Codex gets these besides your words, marked as data. Below each message you can see what went along.',
    switches: {
      policy: 'A note that text from outside is data, not instructions',
      terminal: 'Where your terminal stands, when it changed',
      peers: 'Who else is on the board, when it changed',
      commands: 'Commands you ran since your last message',
      events: 'Events from outside',
    },
    names: { policy: 'note', terminal: 'terminal', peers: 'board', commands: 'commands', events: 'events' },
    chip: (names: string) => `Context: ${names}`,
    developer: 'as guidance',
    data: 'as data',
    size: (bytes: number) => plural(bytes, 'byte', 'bytes'),
    cut: (bytes: number) => `${plural(bytes, 'byte was', 'bytes were')} cut out`,
    leftOut: (key: string, bytes: number) =>
      `Left out for want of room: ${key} (${plural(bytes, 'byte', 'bytes')}). It goes with a later message.`,
    sentinel: 'This Codex takes no context of its own, so it stood in front of your words.',
    failed: 'What went along cannot be read.',
  },
};

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
    titles: {
      policy: 'Note on what is data',
      terminal: 'Your terminal',
      peers: 'Who else is on the board',
      commands: 'Commands you ran',
      events: 'Events from outside',
    },
    commands: (count: number) => plural(count, 'command', 'commands'),
    events: (count: number) => plural(count, 'event', 'events'),
    chip: (parts: string) => `Context: ${parts}`,
    given: 'What went along with this message',
    exact: (title: string) => `${title}, exactly as sent`,
    exit: (code: number) => `exit ${code}`,
    ends: { interrupted: 'interrupted', killed: 'killed', lost: 'its end was not seen', running: 'still runs' },
    dropped: (dropped: number, run: number) => `${dropped} of ${plural(run, 'command', 'commands')} left out`,
    shortened: (count: number) => `output of ${plural(count, 'command', 'commands')} shortened`,
    pending: (commands: number, events: number) => {
      const parts = [
        commands > 0 ? plural(commands, 'command', 'commands') : '',
        events > 0 ? plural(events, 'event', 'events') : '',
      ].filter(Boolean);
      return `${parts.join(' and ')} ${commands + events === 1 ? 'goes' : 'go'} along with your next message`;
    },
    off: (parts: string) => `Not sent to Codex: ${parts}`,
    change: 'Change…',
    fresh: 'Goes along with their messages',
    developer: 'guidance from Signalbox',
    data: 'marked as data',
    size: (bytes: number) => plural(bytes, 'byte', 'bytes'),
    cut: (bytes: number) => `${plural(bytes, 'byte was', 'bytes were')} cut out`,
    leftOut: (key: string, bytes: number) =>
      `Left out for want of room: ${key} (${plural(bytes, 'byte', 'bytes')}). It goes with a later message.`,
    sentinel:
      'This Codex is an older one that takes no context beside a message: it stood in front of your words, unseen.',
    failed: 'What went along cannot be read.',
  },
};

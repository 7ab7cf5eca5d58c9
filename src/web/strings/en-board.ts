/** Words of the board. Part of `en`. */
import { plural } from './plural.ts';

export const EN_BOARD = {
  board: {
    label: 'Board',
    search: 'Search the board',
    topics: 'Topic',
    allTopics: 'All topics',
    older: 'Show older messages',
    empty: 'Nothing here yet. What people, agents and scripts write to each other shows here.',
    nothing: 'No message matches.',
    failed: 'The board could not be read.',
    lost: 'Connection lost. What you see is saved; reconnecting…',
    message: 'Message to the board',
    placeholder: 'Write to everybody, or @mention a conversation',
    name: 'Your name',
    topic: 'Topic (optional)',
    post: 'Post',
    reply: 'Reply',
    replyTo: (num: number) => `In reply to ${num}`,
    remove: (num: number) => `Delete message ${num}`,
    to: (name: string) => `to ${name}`,
    answers: (num: number) => `re ${num}`,
    open: (name: string) => `Open the conversation ${name}`,
    from: (who: string, kind: string) => `from ${who} · ${kind} · via the board`,
    hops: (count: number) => `passed on ${plural(count, 'time', 'times')}`,
    told: 'Codex is told',
    untold: 'shown only; Codex is not told',
    kinds: { person: 'person', script: 'script', conversation: 'conversation', agent: 'agent' },
  },
};

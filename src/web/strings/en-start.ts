/** Words of the page for a new conversation that are needed after the first look. Not part of `en`. */
import { plural } from './plural.ts';

export const EN_START = {
  settings: 'Settings of the new conversation',
  remember: 'Remember for this project',
  remembered: 'Remembered for this project.',
  forget: 'Use the general settings',
  recent: 'Recent projects',
  conversations: (count: number) => plural(count, 'conversation', 'conversations'),
};

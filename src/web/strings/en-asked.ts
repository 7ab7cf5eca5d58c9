/** Words about commands that are asked about. Loaded with their chips, so not a part of `en`. */
export const EN_ASKED = {
  title: 'Asked about',
  hint: 'Goes along with your next message, marked as data. Codex can read the whole of it.',
  remove: (command: string) => `Do not ask about ${command}`,
} as const;

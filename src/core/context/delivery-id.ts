/** The id under which the events of a message are told: part of their text, so that they are found in what Codex kept. */
export const deliveryIdOf = (clientMessageId: string): string => `dlv-${clientMessageId}`;

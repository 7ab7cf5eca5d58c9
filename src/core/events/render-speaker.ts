/** Who speaks in a `user` entry: a person, or Signalbox for an event, since Codex wants words with every steer and turn. */

/** What a message for events is sent under; a person's own is a random id of their client. */
export function eventMessageId(kind: 'steer' | 'turn', id: string): string {
  return `event-${kind}-${id}`;
}

export function speakerOf(clientMessageId: string | undefined): 'person' | 'event' {
  return clientMessageId !== undefined && /^event-(steer|turn)-/.test(clientMessageId) ? 'event' : 'person';
}

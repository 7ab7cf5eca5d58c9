/** The disk in the simulated world of the outbox: what a server that starts finds on it. */
import type { OutboxInput, Unsettled } from '../core/outbox/state.ts';
import type { SimulatedDisk } from './outbox-laws.ts';

export function emptyDisk(): SimulatedDisk {
  return {
    queue: [],
    isPaused: false,
    users: [],
    records: new Map(),
    deliveries: [],
    standings: new Map(),
    sending: new Map(),
    flights: new Set(),
  };
}

export function recoveredFrom(disk: SimulatedDisk): Extract<OutboxInput, { type: 'recovered' }> {
  const last = new Map(disk.deliveries.map((one) => [one.id, one.state]));
  const eventsOf = (id: string) => disk.records.get(id) ?? [];
  const unsettled = disk.users
    .filter(({ id }) => (last.get(id) ?? 'sent') === 'sent')
    .map(({ id, mode }): Unsettled => ({ id, mode, origin: originOf(id), turnId: null, events: eventsOf(id) }));
  const given = disk.queue.filter((id) => disk.users.some((one) => one.id === id));
  const told = [...disk.flights]
    .filter((id) => last.get(id) === 'delivered')
    .map((id) => ({ id, events: eventsOf(id) }));
  return { type: 'recovered', queue: disk.queue, given, isPaused: disk.isPaused, unsettled, told };
}

const originOf = (id: string): 'person' | 'events' => (id.startsWith('event-') ? 'events' : 'person');

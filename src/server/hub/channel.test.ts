/** How the hub spaces deltas and shares frames. */
import { describe, expect, test } from 'vitest';
import type { NewEntry } from '../../contract/entry.ts';
import type { UiEvent } from '../../contract/ui-event.ts';
import {
  CONVERSATION,
  createHeardClient,
  createHubStand,
  type HeardClient,
  type HubStand,
  type LiveBody,
  liveEvent,
  settle,
} from '../../testing/hub-stand.ts';

function note(text: string): NewEntry {
  return { role: 'note', kind: 'api', text };
}

function delta(item: string, offset: number, text: string): LiveBody {
  return { type: 'assistant_delta', item_id: item, turn_id: 't1', offset, delta: text };
}

async function joined(stand: HubStand): Promise<{ client: HeardClient }> {
  const client = createHeardClient();
  const connection = stand.hub.connect(client, { kind: 'session', id: 's' });
  connection.receive({ type: 'subscribe', conversation_id: CONVERSATION });
  await settle();
  client.types();
  return { client };
}

function deltasOf(client: HeardClient): string[] {
  return client
    .heard()
    .flatMap((frame) => ('delta' in frame ? [`${frame.item_id}@${frame.offset}:${frame.delta}`] : []));
}

describe('deltas', () => {
  test('[HB1] the first goes at once, later ones every 2 ms, joined where they touch', async () => {
    const stand = createHubStand();
    const { client } = await joined(stand);
    stand.live(delta('a', 0, 'He'));
    expect(deltasOf(client)).toEqual(['a@0:He']);
    stand.live(delta('a', 2, 'll'));
    stand.live(delta('a', 4, 'o'));
    stand.clock.advance(1.9);
    expect(deltasOf(client)).toEqual(['a@0:He']);
    stand.clock.advance(0.1);
    expect(deltasOf(client)).toEqual(['a@0:He', 'a@2:llo']);
    stand.live(delta('a', 5, '!'));
    stand.clock.advance(1.9);
    expect(deltasOf(client)).toHaveLength(2);
    stand.clock.advance(0.1);
    expect(deltasOf(client)).toEqual(['a@0:He', 'a@2:llo', 'a@5:!']);
    stand.clock.advance(2);
    expect(stand.clock.waiting()).toBe(0);
    stand.live(delta('a', 6, '?'));
    expect(deltasOf(client).at(-1)).toBe('a@6:?');
  });

  test('[HB1] items keep the order in which they were first held, and a gap is not joined over', async () => {
    const stand = createHubStand();
    const { client } = await joined(stand);
    stand.live(delta('a', 0, '1'));
    stand.live(delta('b', 0, 'x'));
    stand.live(delta('a', 1, '2'));
    stand.live(delta('b', 1, 'y'));
    stand.live(delta('a', 9, 'far'));
    stand.clock.advance(2);
    expect(deltasOf(client)).toEqual(['a@0:1', 'b@0:xy', 'a@1:2', 'a@9:far']);
  });

  test('[HB1] held text beyond 64 Ki goes out without waiting', async () => {
    const stand = createHubStand();
    const { client } = await joined(stand);
    stand.live(delta('a', 0, 'x'));
    stand.live(delta('a', 1, 'y'.repeat(64 * 1024)));
    expect(deltasOf(client)).toHaveLength(1);
    stand.live(delta('a', 1 + 64 * 1024, 'z'));
    expect(deltasOf(client)).toHaveLength(2);
  });

  test('[HB2] any other event is a barrier: held deltas go before it, and it goes at once', async () => {
    const stand = createHubStand();
    const { client } = await joined(stand);
    stand.live(delta('a', 0, 'one'));
    stand.live(delta('a', 3, 'two'));
    stand.live(delta('b', 0, 'three'));
    stand.append(note('done'));
    expect(client.types()).toEqual(['assistant_delta', 'assistant_delta', 'assistant_delta', 'note']);
    stand.clock.advance(100);
    expect(client.types()).toEqual([]);
  });

  test('[HB3] a frame is built once for all clients, and not at all for none', async () => {
    const stand = createHubStand();
    let rendered = 0;
    const counting = (item: string): UiEvent => {
      const event = liveEvent(delta(item, 0, 'x'), 0);
      return Object.assign(event, { toJSON: () => ({ item, n: ++rendered }) });
    };
    stand.hub.publish(CONVERSATION, counting('a'));
    expect(rendered).toBe(0);
    const clients = await Promise.all([joined(stand), joined(stand), joined(stand)]);
    stand.hub.publish(CONVERSATION, counting('b'));
    expect(rendered).toBe(1);
    const last = clients.map(({ client }) => client.frames.at(-1));
    expect(last[0]).toBe(last[1]);
    expect(last[1]).toBe(last[2]);
  });
});

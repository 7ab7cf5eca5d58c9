/** The laws of the outbox, in a world where everything may fail at any moment: the disk, Codex, its answers, and the server itself. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MessageMode } from '../../contract/entry.ts';
import { createWorld, type World } from '../../testing/outbox-world.ts';

const RUNS = Number(process.env.SIGNALBOX_PROPERTY_RUNS ?? 1_500);

/** What happens next; numbers choose among what is possible at that moment. */
const action = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('perform' as const), pick: fc.nat(7) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('hear' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      mode: fc.constantFrom<MessageMode>('send', 'queue', 'steer'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('repeat' as const), pick: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('send now' as const), pick: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('codex works' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('event' as const),
      mode: fc.constantFrom(
        'queue_for_next_turn' as const,
        'append_to_thread' as const,
        'turn_steer' as const,
        'auto_turn' as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'start codex',
        'start codex',
        'stop',
        'resume',
        'switch',
        'timers',
        'foreign turn',
        'own operation',
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill codex' as const), isKeeping: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill server' as const), reach: fc.nat(255) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refuse' as const), isCertain: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('disk fails' as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

function play(world: World, actions: readonly Action[]): void {
  for (const one of actions) {
    switch (one.do) {
      case 'perform':
        world.perform(one.pick);
        break;
      case 'hear':
        world.hear(one.count);
        break;
      case 'submit':
        world.submit(one.mode);
        break;
      case 'repeat':
        world.repeat(one.pick);
        break;
      case 'send now':
        world.sendNow(one.pick);
        break;
      case 'codex works':
        world.work();
        break;
      case 'event':
        world.event(one.mode);
        break;
      case 'start codex':
        world.startCodex();
        break;
      case 'kill codex':
        world.killCodex(one.isKeeping);
        break;
      case 'kill server':
        world.killServer(one.reach);
        break;
      case 'stop':
        world.stop();
        break;
      case 'resume':
        world.resume();
        break;
      case 'switch':
        world.switchEvents();
        break;
      case 'timers':
        world.fireTimers();
        break;
      case 'foreign turn':
        world.foreignTurn();
        break;
      case 'own operation':
        world.ownOperation();
        break;
      case 'refuse':
        world.refuseNext(one.isCertain);
        break;
      case 'disk fails':
        world.failDisk();
        break;
      default:
        one satisfies never;
    }
  }
}

describe('whatever fails, and whenever', () => {
  test('[OB1] [OB2] [OB3] [OB4] [OB5] [OB6] [OB33] messages and events end exactly one way, in order, and nothing waits for ever', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 80, size: 'max' }), (actions) => {
        const world = createWorld();
        play(world, actions);
        world.settle();
        expect(world.faults().join('; ')).toBe('');
      }),
      { numRuns: RUNS },
    );
  });

  test('the checker sees a broken world', () => {
    const world = createWorld();
    world.submit('send');
    world.settle();
    world.codex.history.push({ id: 'm1', turnId: 'again', kind: 'turn' });
    expect(world.faults()).toEqual(['m1: told 2 times']);
    world.codex.history.length = 0;
    expect(world.faults()).toContain('m1: delivered, but Codex does not have it');
  });
});

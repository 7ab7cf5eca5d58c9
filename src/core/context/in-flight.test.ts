/** What is kept of a message on its way, and what its arrival changes. */
import { expect, test } from 'vitest';
import type { Fragment, TerminalValues } from '../../contract/context.ts';
import { sampleMeta } from '../../testing/samples.ts';
import { pushCommand } from './command-buffer.ts';
import { dropInFlight, inFlightOf, markOf, settleInFlight, withInFlight } from './in-flight.ts';

const HERE: TerminalValues = { cwd: '/w', shell: 'bash', last_exit_code: 0, git_branch: 'main' };
const fragment = (name: Fragment['name'], ids: readonly string[]): Fragment => ({
  name,
  key: name,
  kind: 'untrusted',
  value: '',
  ids: [...ids],
});
const VALUES = { terminal: HERE, peers: ['ann'], commandsRun: 4 };

test('[CT14] the mark of a message counts what can be counted', () => {
  const carried = [fragment('policy', []), fragment('commands', ['b1', 'b2'])];
  expect(markOf(carried)).toEqual({ names: ['policy', 'commands'], counts: { commands: 2 } });
});

test('[CT9] only what goes along is remembered as told', () => {
  expect(inFlightOf('m', [fragment('events', ['7'])], VALUES)).toEqual({
    client_message_id: 'm',
    names: ['events'],
    counts: { events: 1 },
    block_ids: [],
    commands_run: 0,
    terminal: null,
    peers: null,
  });
  const all = [
    fragment('commands', ['b1']),
    fragment('terminal', []),
    fragment('peers', []),
    fragment('events', ['7']),
  ];
  expect(inFlightOf('m', all, VALUES)).toMatchObject({
    block_ids: ['b1'],
    commands_run: 4,
    terminal: HERE,
    peers: ['ann'],
  });
});

test('[CT9] once Codex has accepted it the buffer is lighter, and what was told before and not again still counts', () => {
  const ended = (blockId: string) => ({
    blockId,
    shellId: null,
    cmd: blockId,
    cwd: '/w',
    exitCode: 0,
    ts: 0,
    durationMs: null,
    end: 'completed' as const,
    output: '',
    isOutputCut: false,
  });
  const bare = sampleMeta();
  const id = bare.conversation_id;
  const buffer = pushCommand(pushCommand(null, id, ended('b1')), id, ended('b2'));
  const flight = inFlightOf('m', [fragment('commands', ['b1']), fragment('terminal', [])], {
    ...VALUES,
    commandsRun: 1,
  });
  const context_memory = { in_flight: [flight], terminal: null, peers: ['bob'], carried_blocks: ['b0'] };
  const meta = sampleMeta({ pending_cmd_buffer: buffer, context_memory });
  const settled = settleInFlight(meta, 'm');
  expect(settled.context_memory).toEqual({
    in_flight: [],
    terminal: HERE,
    peers: ['bob'],
    carried_blocks: ['b0', 'b1'],
  });
  expect(JSON.stringify(settled.pending_cmd_buffer)).not.toContain('b1');
  expect(JSON.stringify(settled.pending_cmd_buffer)).toContain('b2');
  expect(settleInFlight(settled, 'm')).toBe(settled);
  expect(withInFlight(meta)).toEqual(settled);
});

test('[CT9] one that was refused leaves everything for the next message', () => {
  const flight = inFlightOf('m', [fragment('terminal', [])], VALUES);
  const context_memory = { in_flight: [flight], terminal: null, peers: null, carried_blocks: ['b0'] };
  expect(dropInFlight(sampleMeta({ context_memory }), 'm')).toEqual(
    sampleMeta({ context_memory: { ...context_memory, in_flight: [] } }),
  );
});

/** The demo model tells which commands and events it was given. */
import { expect, test } from 'vitest';
import { planReply } from './demo-model.ts';
import { tellGiven } from './given-context.ts';

const COMMANDS = JSON.stringify({
  v: 1,
  type: 'user_cmd_context',
  total_commands_run: 3,
  kept: 2,
  dropped: 1,
  commands: [
    { cmd: 'make', exit_code: 2, preview: { lines: ['x', 'Error 1'], truncated: false } },
    { cmd: 'sleep 9', exit_code: null, status: 'interrupted', preview: { lines: [], truncated: false } },
  ],
});
const EVENTS = `2 events from outside arrived. [d1]\n${JSON.stringify({ title: 'Build failed', severity: 'error', type: 'build.status' })}\nnot json\n${JSON.stringify({ title: 'Deployed' })}`;

test('[CT19] commands, with how they ended', () => {
  expect(tellGiven('external_user_cmd_context', COMMANDS)).toBe(
    'terminal commands (3 run, 1 earlier left out): `make` (exit 2, last line `Error 1`); `sleep 9` (interrupted)',
  );
  expect(tellGiven('CODEX_META', COMMANDS)).toContain('`make` (exit 2');
});

test('[CT19] events, by title', () => {
  const told = 'events (2): `Build failed` (error build.status); `Deployed`';
  expect(tellGiven('external_events', EVENTS)).toBe(told);
  expect(tellGiven('external_event', EVENTS)).toBe(told);
  // Codex 0.169 names the result by the key alone.
  expect(tellGiven('events', EVENTS)).toBe(told);
  expect(tellGiven('CODEX_META', JSON.stringify({ v: 1, type: 'events', text: EVENTS }))).toBe(told);
  expect(tellGiven('external_events', 'odd')).toBe('events: `odd`');
});

test('[CT19] asked what it sees, it says so', () => {
  const message = (role: string, text: string) => ({ role, content: [{ type: 'input_text', text }] });
  const body = {
    input: [
      message('user', `<external_user_cmd_context>${COMMANDS}</external_user_cmd_context>`),
      {
        type: 'function_call_output',
        name: 'external_events',
        namespace: 'signalbox',
        output: `<external_events>${EVENTS}</external_events>`,
      },
      message('user', 'What do you see?'),
    ],
  };
  const said = JSON.stringify(planReply({ body }));
  expect(said).toContain('terminal commands (3 run');
  expect(said).toContain('events (2): `Build failed`');
});

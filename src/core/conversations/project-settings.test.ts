/** Joining what a project remembers with the general settings. */
import { expect, test } from 'vitest';
import { ALL_CONTEXT } from '../../contract/context.ts';
import type { Preferences } from '../../contract/conversation.ts';
import { pickSettings, rememberedIn, settingsIn, withoutProject, withRemembered } from './project-settings.ts';

const PREFERENCES: Preferences = {
  cwd: null,
  approval: 'on-request',
  sandbox: 'workspace-write',
  model: 'general',
  reasoning_effort: null,
  command_output_lines: 20,
  context: ALL_CONTEXT,
};

test('[CS50] what a project remembers takes the place of the general setting; null is a choice too', () => {
  const settings = settingsIn(PREFERENCES, { model: null, sandbox: 'read-only' });
  expect(settings).toEqual({ ...PREFERENCES, model: null, sandbox: 'read-only' });
});

test('[CS50] only the named settings are picked, and one that was not given is not remembered', () => {
  const given = { model: 'a', approval: 'never', sandbox: 'read-only' } as const;
  expect(pickSettings(given, ['model', 'reasoning_effort'])).toEqual({ model: 'a' });
});

test('[CS51] settings of a project reach neither the directories below it nor the one above', () => {
  const file = withRemembered({ projects: [] }, '/work/app', { approval: 'never', sandbox: 'danger-full-access' });
  for (const other of ['/work', '/work/app/sub', '/work/app2', '/work/app/'])
    expect(rememberedIn(file, other)).toEqual({});
  expect(rememberedIn(file, '/work/app')).toEqual({ approval: 'never', sandbox: 'danger-full-access' });
});

test('[CS50] a later choice changes its own setting alone, and forgetting leaves the other projects', () => {
  let file = withRemembered({ projects: [] }, '/a', { model: 'one', approval: 'untrusted' });
  file = withRemembered(file, '/b', { model: 'two' });
  file = withRemembered(file, '/a', { model: 'three' });
  expect(rememberedIn(file, '/a')).toEqual({ model: 'three', approval: 'untrusted' });
  expect(withoutProject(file, '/a')).toEqual({ projects: [{ cwd: '/b', settings: { model: 'two' } }] });
  expect(withRemembered(file, '/c', {})).toEqual(file);
});

test('[CS50] of more than 200 projects the ones written longest ago are forgotten', () => {
  let file = withRemembered({ projects: [] }, '/first', { model: 'x' });
  for (let at = 0; at < 200; at += 1) file = withRemembered(file, `/p${at}`, { model: 'x' });
  expect(file.projects).toHaveLength(200);
  expect(rememberedIn(file, '/first')).toEqual({});
});

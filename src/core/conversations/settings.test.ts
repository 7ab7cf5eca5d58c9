/** What a change of settings means. */
import { expect, test } from 'vitest';
import { ApprovalModeInput, type Model, SettingsPatch } from '../../contract/conversation.ts';
import { sampleMeta } from '../../testing/samples.ts';
import { applyPatch, isInside, isLooser, supportedEffort } from './settings.ts';

const META = sampleMeta({ thread_id: 't', model: 'gpt-5.5', reasoning_effort: 'high', revision: 3 });

test.each([
  ['always', 'untrusted'],
  ['unlessTrusted', 'on-request'],
  ['untrusted', 'untrusted'],
  ['never', 'never'],
])('[CV13] the older word %s means %s', (word, mode) => {
  expect(ApprovalModeInput.parse(word)).toBe(mode);
  expect(SettingsPatch.parse({ approval: word })).toEqual({ approval: mode });
});

test.each([
  [{}, false],
  [{ approval: 'never' }, true],
  [{ approval: 'untrusted' }, false],
  [{ sandbox: 'danger-full-access' }, true],
  [{ sandbox: 'read-only' }, false],
  [{ approval: 'never', sandbox: 'read-only' }, true],
  [{ approval: 'untrusted', sandbox: 'danger-full-access' }, true],
  [{ approval: 'on-request', sandbox: 'workspace-write' }, false],
] as const)('[CV13] %j is looser than on-request in the workspace: %s', (patch, looser) => {
  expect(isLooser(META, patch)).toBe(looser);
});

test.each([
  ['/work/app', '/work/app', true],
  ['/work/app', '/work/app/src/deep', true],
  ['/work/app', '/work', false],
  ['/work/app', '/', false],
  ['/work/app', '/work/application', false],
  ['/work/app', '/work/other', false],
  ['/work/app', '/home/me', false],
  ['/', '/home/me', true],
])('[AT4] from %s to %s stays inside: %s', (directory, path, isIn) => {
  expect(isInside(directory, path)).toBe(isIn);
});

const model = (id: string, efforts: readonly string[], isDefault = false): Model => ({
  id,
  name: id,
  description: '',
  efforts: efforts.map((effort) => ({ effort, description: '' })),
  default_effort: 'medium',
  is_default: isDefault,
});
const MODELS = [
  model('gpt-5.5', ['low', 'medium', 'high']),
  model('mini', ['low', 'medium'], true),
  model('custom', []),
];

test.each([
  ['gpt-5.5', 'high', 'high'],
  ['mini', 'high', 'medium'],
  ['mini', 'low', 'low'],
  [null, 'high', 'medium'],
  ['custom', 'ultra', 'ultra'],
  ['unheard of', 'ultra', 'ultra'],
  ['mini', null, null],
])('[CV13] the model %s with effort %s gets %s', (id, effort, got) => {
  expect(supportedEffort(id, effort, MODELS)).toBe(got);
});

test('[CV13] a change leaves what it does not name, counts, and drops an effort the model lacks', () => {
  expect(applyPatch(META, { model: 'mini', label: undefined }, MODELS, 'now')).toEqual({
    ...META,
    model: 'mini',
    reasoning_effort: 'medium',
    revision: 4,
    updated_at: 'now',
  });
  expect(applyPatch(META, { label: null, approval: 'never' }, [], 'now')).toMatchObject({
    label: null,
    approval: 'never',
    reasoning_effort: 'high',
  });
});

test('[CS20] a setting that goes back to null is remembered as reset, for as long as nobody chooses again', () => {
  const patched = (before: typeof META, patch: SettingsPatch) => applyPatch(before, patch, [], '').reset_settings;
  expect(patched(META, { reasoning_effort: null })).toEqual(['reasoning_effort']);
  expect(patched(META, { model: null, reasoning_effort: null })).toEqual(['model', 'reasoning_effort']);
  expect(patched(META, { label: 'x' })).toEqual([]);
  const reset = applyPatch(META, { reasoning_effort: null }, [], '');
  expect(patched(reset, { label: 'x' })).toEqual(['reasoning_effort']);
  expect(patched(reset, { reasoning_effort: 'low' })).toEqual([]);
  // Codex has nothing to forget.
  expect(patched({ ...META, thread_id: null }, { reasoning_effort: null })).toEqual([]);
});

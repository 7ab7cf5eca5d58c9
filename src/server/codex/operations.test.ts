/** The operations against a scripted link: what is sent, in which order the answer is handled, which code a refusal gets. */
import { expect, test } from 'vitest';
import { fail, ok, type Result } from '../../contract/result.ts';
import { NOTHING_APPLIED } from '../../core/codex/applied-settings.ts';
import type { AppliedSettings } from '../../core/codex/signal.ts';
import { fragmentOf } from '../../core/context/fragment.ts';
import { EVENTS } from '../../core/context/specs.ts';
import { sampleMeta } from '../../testing/samples.ts';
import type { Requester } from './ask.ts';
import { createOperations } from './operations.ts';

const ID = '01a1e6bd-c636-7210-9673-a9d5181087e6';
const META = sampleMeta({ thread_id: ID });
const MESSAGE = { text: 'hi', images: [], clientMessageId: 'c' };
const THREAD = { id: ID, preview: 'hi', cwd: '/p', path: '/r' };
const TURN = { id: '0', status: 'inProgress', items: [] };
const refuse = (message: string, data?: unknown): Result<never> => fail('codex_error', message, { data });

/** Answers the requests in the order of `answers`; like the connection, it handles a result before it settles the request. */
function scripted(...answers: readonly Result<unknown>[]) {
  return scriptedWith(false, ...answers);
}

function scriptedWith(hasProfiles: boolean, ...answers: readonly Result<unknown>[]) {
  const sent: { method: string; params: Record<string, unknown> }[] = [];
  const left = [...answers];
  const link: Requester = {
    dialect: () => ({ epoch: 'e1', hasItems: true }),
    async request(method, params, options) {
      sent.push({ method, params });
      const answer = left.shift() ?? fail('codex_unavailable', 'nothing is scripted');
      if (answer.ok) options?.onResult?.(answer.value);
      return answer;
    },
  };
  return {
    codex: createOperations(link, { hasProfiles: () => hasProfiles, profiles: async () => ok(null) }, () => null),
    sent,
  };
}

test('a turn is known by our id, before its request settles', async () => {
  const { codex, sent } = scripted(ok({ turn: TURN }));
  const heard: string[] = [];
  const request = { threadId: ID, message: MESSAGE, settings: META, applied: NOTHING_APPLIED };
  const started = codex.startTurn(request, (turnId) => heard.push(turnId));
  expect(heard).toEqual(['e1.0']);
  expect(await started).toEqual(ok('e1.0'));
  expect(sent).toMatchObject([{ method: 'turn/start', params: { threadId: ID, clientUserMessageId: 'c' } }]);
});

test('a turn whose id is missing is started all the same, and nobody is called', async () => {
  const { codex } = scripted(ok({}));
  const request = { threadId: ID, message: MESSAGE, settings: META, applied: NOTHING_APPLIED };
  expect(await codex.startTurn(request, () => expect.unreachable())).toEqual(ok(null));
});

test('[CX23] a turn with the settings of the last one names none; whatever may have changed them makes it name all', async () => {
  const turn = () => ok({ turn: TURN });
  const lost = fail('codex_timeout', 'no answer');
  const { codex, sent } = scriptedWith(true, turn(), turn(), turn(), turn(), turn(), lost, turn());
  const start = (applied: AppliedSettings, settings = META) =>
    codex.startTurn({ threadId: ID, message: MESSAGE, settings, applied }, () => undefined);
  const first = { ...NOTHING_APPLIED };
  await start(first);
  await start(first);
  await start(first, { ...META, approval: 'never' });
  // Somebody else changed the thread, or it was loaded again.
  const later = { ...first };
  await start(later, { ...META, approval: 'never' });
  await start(later, { ...META, approval: 'never' });
  // The answer is lost: Codex may have them or not.
  await start(later);
  await start(later, { ...META, approval: 'never' });
  const said = sent.map(({ params }) => [params.approvalPolicy, params.permissions]);
  expect(said).toEqual([
    ['on-request', 'signalbox-workspace-write'],
    [undefined, undefined],
    ['never', 'signalbox-workspace-write'],
    ['never', 'signalbox-workspace-write'],
    [undefined, undefined],
    ['on-request', 'signalbox-workspace-write'],
    ['never', 'signalbox-workspace-write'],
  ]);
});

test('[CX23] an old Codex, which need not tell of changes, is told every setting with every turn', async () => {
  const { codex, sent } = scripted(ok({ turn: TURN }), ok({ turn: TURN }));
  const request = { threadId: ID, message: MESSAGE, settings: META, applied: { ...NOTHING_APPLIED } };
  await codex.startTurn(request, () => undefined);
  await codex.startTurn(request, () => undefined);
  expect(sent.map(({ params }) => params.approvalPolicy)).toEqual(['on-request', 'on-request']);
});

test('a resumed thread gives its settings and newest turns before its request settles', async () => {
  const turns = { data: [{ ...TURN, id: '1' }, TURN] };
  const { codex } = scripted(ok({ thread: THREAD, model: 'gpt', initialTurnsPage: turns }));
  const heard: unknown[] = [];
  const request = { threadId: ID, settings: META, rolloutPath: null, newestTurns: 5, levels: {} };
  const resumed = codex.resumeThread(request, ({ applied, newestTurns }) =>
    heard.push(applied.model, ...newestTurns.map((turn) => turn.turnId)),
  );
  const settled = resumed.then((result) => {
    heard.push('settled');
    return result;
  });
  expect(await settled).toEqual(ok(null));
  expect(heard).toEqual(['gpt', 'e1.1', 'e1.0', 'settled']);
});

test('[CP4] a Codex that takes another file for the rollout is given the path, where it is known', async () => {
  const mistaken = refuse(`failed to load rollout \`/c/sessions/${ID}/events.sock\`: No such device`);
  const request = { threadId: ID, settings: META, rolloutPath: '/r', newestTurns: 5, levels: {} };
  const known = scripted(mistaken, ok({ thread: THREAD }));
  expect(await known.codex.resumeThread(request, () => undefined)).toEqual(ok(null));
  expect(known.sent.map(({ params }) => params.path)).toEqual([undefined, '/r']);
  const unknown = scripted(mistaken);
  expect(await unknown.codex.resumeThread({ ...request, rolloutPath: null }, () => undefined)).toEqual(mistaken);
});

test.each([
  ['unknown_thread', refuse(`no rollout found for thread id ${ID}`)],
  ['thread_in_use', refuse(`thread ${ID} already has an active writer`)],
  ['provider_mismatch', refuse('no', { type: 'modelProviderMismatch', modelProvider: 'a', currentModelProvider: 'b' })],
  ['codex_error', refuse('permission denied')],
  ['codex_timeout', fail('codex_timeout', 'no rollout found')],
] as const)('a resume fails with %s', async (code, answer) => {
  const request = { threadId: ID, settings: META, rolloutPath: null, newestTurns: 5, levels: {} };
  expect(await scripted(answer).codex.resumeThread(request, () => undefined)).toMatchObject({ error: { code } });
});

test.each([
  ['unknown_method', 'Invalid request: unknown variant `turn/steer`'],
  ['no_active_turn', 'no active turn to steer'],
  ['not_steerable', 'cannot steer a review turn'],
  ['stale', 'thread not found'],
  ['codex_error', 'permission denied'],
])('a steer fails with %s', async (code, message) => {
  const { codex, sent } = scripted(refuse(message));
  expect(await codex.steerTurn(ID, 'e1.3', MESSAGE)).toMatchObject({ error: { code } });
  expect(sent).toMatchObject([{ params: { expectedTurnId: '3' } }]);
});

test('[CX51] a request to stop follows the turn that runs, once', async () => {
  const other = refuse('expected active turn id `3` but found `4`');
  const { codex, sent } = scripted(other, ok({}));
  expect(await codex.interruptTurn(ID, 'e1.3')).toEqual(ok(null));
  expect(sent).toMatchObject([{ params: { turnId: '3' } }, { params: { turnId: '4' } }]);
  expect(await scripted(other, other).codex.interruptTurn(ID, 'e1.3')).toMatchObject({
    error: { code: 'no_active_turn' },
  });
});

test('a steer says which turn it went to; without a word of Codex it is the one that was named', async () => {
  expect(await scripted(ok({ turnId: '4' })).codex.steerTurn(ID, 'e1.3', MESSAGE)).toEqual(ok('e1.4'));
  expect(await scripted(ok({})).codex.steerTurn(ID, 'e1.3', MESSAGE)).toEqual(ok('e1.3'));
});

test('an interrupt names the turn as Codex counts it, and fails with no_active_turn when it came too late', async () => {
  const { codex, sent } = scripted(refuse('no active turn to interrupt'));
  expect(await codex.interruptTurn(ID, 'e1.3')).toMatchObject({ error: { code: 'no_active_turn' } });
  expect(sent).toEqual([{ method: 'turn/interrupt', params: { threadId: ID, turnId: '3' } }]);
});

test('a thread that need not be moved is archived; one that cannot be moved is not', async () => {
  const { codex } = scripted(refuse('no rollout found'), refuse('already unarchived'), refuse('permission denied'));
  expect(await codex.archiveThread(ID)).toEqual(ok(null));
  expect(await codex.unarchiveThread(ID)).toEqual(ok(null));
  expect(await codex.archiveThread(ID)).toMatchObject({ error: { code: 'codex_error' } });
});

test('an answer nobody can read is an error of Codex', async () => {
  const { codex } = scripted(ok({}), ok('text'), ok(null));
  const failed = { error: { code: 'codex_error', message: expect.stringContaining('unreadable') } };
  expect(await codex.startThread(META, {})).toMatchObject(failed);
  expect(await codex.listThreads({ limit: 5 })).toMatchObject(failed);
  expect(await codex.readThread(ID)).toMatchObject(failed);
});

test('fragments go into a thread as items', async () => {
  const { codex, sent } = scripted(ok({}));
  expect(await codex.injectFragments(ID, [fragmentOf(EVENTS, 'a build failed')])).toEqual(ok(null));
  expect(sent).toMatchObject([{ method: 'thread/inject_items', params: { threadId: ID } }]);
  expect(JSON.stringify(sent[0]?.params.items)).toContain('a build failed');
});

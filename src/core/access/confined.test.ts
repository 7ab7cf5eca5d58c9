/** A token for one conversation, asked about every route. */
import { expect, test } from 'vitest';
import { ROUTES } from '../../contract/routes.ts';
import type { Caller } from './caller.ts';
import { mayHear, refuseConversation, refuseInput, refuseSocketPath } from './confined.ts';

const OWN = `conv_${'1'.repeat(32)}`;
const OTHER = `conv_${'2'.repeat(32)}`;
const caller: Caller = { kind: 'token', id: 'tok_1', scopes: ['read', 'operate', 'run'], conversationId: OWN };
const everywhere: Caller = { kind: 'token', id: 'tok_2', scopes: ['read'] };
const threadOf = (id: string) => (id === OWN ? 'thread-1' : 'thread-2');
const inputOf = (id: string) => ({ id, conversation_id: id, thread_id: threadOf(id) });

test('[AT8] no route takes the name of another conversation, and routes about several are closed', () => {
  const open = (id: string) =>
    Object.keys(ROUTES).filter((route) => refuseInput(caller, route, inputOf(id), threadOf) === null);
  expect(open(OTHER)).toEqual(
    ['health', 'configSchema', 'openapi', 'models', 'session', 'eventSchema'].filter((id) => id in ROUTES),
  );
  const closed = ['listConversations', 'createConversation', 'rpc', 'mention', 'directories', 'forkConversation'];
  for (const route of [
    ...closed,
    'createToken',
    'upShells',
    'boardPost',
    'writeConfig',
    'stop',
    'deleteConversation',
  ]) {
    expect([route, open(OWN).includes(route)]).toEqual([route, false]);
  }
  expect(open(OWN)).toContain('sendMessage');
  expect(open(OWN)).toContain('ackEvent');
});

test('[AT8] a route that could mean any conversation needs the name', () => {
  expect(refuseInput(caller, 'transcript', {}, threadOf)?.code).toBe('forbidden');
  expect(refuseInput(caller, 'listApprovals', { conversation_id: undefined }, threadOf)?.code).toBe('forbidden');
  // A conversation without a thread: nobody else's thread fits.
  expect(refuseInput(caller, 'listEvents', { thread_id: 'thread-2' }, () => null)?.code).toBe('forbidden');
});

test('[AT8] sockets and news', () => {
  expect(refuseSocketPath(caller, `/ws/pty/${OWN}`)).toBe(null);
  for (const path of [`/ws/pty/${OTHER}`, '/ws', '/fws/logs']) expect(refuseSocketPath(caller, path)).not.toBe(null);
  expect(refuseConversation(caller, OTHER)).not.toBe(null);
  expect(mayHear(caller, { type: 'conversation', conversation: { id: OWN } })).toBe(true);
  for (const type of ['conversation', 'board_news', 'account', 'notification']) {
    expect(mayHear(caller, { type, ...(type === 'conversation' && { conversation: { id: OTHER } }) })).toBe(false);
    expect(mayHear(everywhere, { type })).toBe(true);
  }
});

test('[CH108] a token for one conversation changes neither the index nor files, not even of its own conversation', () => {
  for (const route of ['stageChanges', 'unstageChanges', 'discardChanges', 'undoCheckpoint'])
    expect(refuseInput(caller, route, { id: OWN, paths: ['a.txt'] }, threadOf)?.code).toBe('forbidden');
  expect(refuseInput(caller, 'changesStatus', { id: OWN }, threadOf)).toBe(null);
});

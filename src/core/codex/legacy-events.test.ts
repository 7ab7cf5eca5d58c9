/** The stream of old versions: read only where nothing newer is spoken. */
import { describe, expect, test } from 'vitest';
import { readRecording, replay } from '../../../test/recording.ts';
import { CodexTurn } from '../../contract/codex.ts';
import { codexTurnId, type Dialect, normalize, ownTurnId, turnRecord } from './normalize.ts';

const DIALECT: Dialect = { epoch: 'e1', hasItems: true };

function heard(method: string, params: unknown, dialect = DIALECT) {
  return normalize(dialect, { kind: 'notification', method, params }).signals;
}

describe('old versions', () => {
  const wires = readRecording('0.80.0/turn');
  const [[, both] = []] = replay(wires).runs;

  test('[CX17] a turn told only as codex/event/* gives the same entries', () => {
    const isOld = (method: unknown) =>
      typeof method !== 'string' || method.startsWith('codex/event/') || method === 'thread/started';
    const [[, old] = []] = replay(wires.filter(({ msg }) => isOld(msg.method))).runs;
    expect(old?.entries.map((entry) => entry.role)).toEqual([
      'user',
      'reasoning',
      'assistant',
      'command',
      'assistant',
      'token_usage',
      'status',
    ]);
    expect(old?.entries).toEqual(both?.entries);
  });

  test('[CX17] once items are told, the parallel stream is not read', () => {
    const started = { id: '0', msg: { type: 'task_started' }, conversationId: 't' };
    const first = normalize(
      { epoch: 'e1', hasItems: false },
      { kind: 'notification', method: 'codex/event/task_started', params: started },
    );
    expect(first.signals).toHaveLength(1);
    const second = normalize(first.dialect, {
      kind: 'notification',
      method: 'turn/started',
      params: { threadId: 't', turn: { id: '0' } },
    });
    expect(second.dialect.hasItems).toBe(true);
    expect(
      normalize(second.dialect, { kind: 'notification', method: 'codex/event/task_started', params: started }).signals,
    ).toEqual([]);
  });

  test.each<[string, object, object[]]>([
    ['turn_aborted', {}, [{ type: 'turn.completed', status: 'interrupted' }]],
    ['turn_diff', { unified_diff: 'd' }, [{ type: 'diff.updated', diff: 'd' }]],
    [
      'plan_update',
      { plan: [{ step: 'A', status: 'in_progress' }, { step: 'B' }] },
      [
        {
          type: 'plan.updated',
          steps: [
            { step: 'A', status: 'in_progress' },
            { step: 'B', status: 'pending' },
          ],
        },
      ],
    ],
    ['error', { message: 'm' }, [{ type: 'error', willRetry: false, failure: { message: 'm', code: null } }]],
    ['stream_error', { message: 'm' }, [{ type: 'error', willRetry: true }]],
    ['warning', { message: 'm' }, [{ type: 'warning', text: 'm' }]],
    [
      'exec_command_end',
      { call_id: 'c', command: ['ls'], exit_code: 1, source: 'user_shell', duration: { secs: 1, nanos: 5e6 } },
      [{ type: 'item.completed', item: { kind: 'command', isUserShell: true, status: 'failed', durationMs: 1005 } }],
    ],
    ['background_event', {}, [{ type: 'ignored' }]],
    ['item_started', { item: 3 }, []],
  ])('%s', (event, msg, signals) => {
    const params = { id: '0', msg: { type: event, ...msg }, conversationId: 't' };
    expect(heard(`codex/event/${event}`, params, { ...DIALECT, hasItems: false })).toMatchObject(signals);
  });

  test('[CX18] turns that are counted are kept apart by process, and the number goes back', () => {
    expect(heard('turn/started', { threadId: 't', turn: { id: '0' } })).toMatchObject([{ turnId: 'e1.0' }]);
    const params = { threadId: 't', turnId: '3', itemId: 'i' };
    const asked = normalize(DIALECT, { kind: 'request', id: 0, method: 'item/fileChange/requestApproval', params });
    expect(asked.signals).toMatchObject([{ turnId: 'e1.3' }]);
    expect(turnRecord(DIALECT, CodexTurn.parse({ id: '2', status: 'completed', items: [] })).turnId).toBe('e1.2');
    expect([ownTurnId(DIALECT, '0'), ownTurnId(DIALECT, '01a1-b2')]).toEqual(['e1.0', '01a1-b2']);
    expect([codexTurnId('e1.0'), codexTurnId('01a1-b2')]).toEqual(['0', '01a1-b2']);
  });
});

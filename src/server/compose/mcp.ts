/** Ties the tools for agents to the terminals, the board, the events and the conversations. Loaded with the first call of one. */
import { randomUUID } from 'node:crypto';
import { fail, ok } from '../../contract/result.ts';
import type { Logger } from '../../node/logger.ts';
import type { Changes } from '../changes/changes.ts';
import type { Events } from '../events/events.ts';
import { resultOfAck } from '../events/rpc.ts';
import { createBoardPort } from '../mcp/board-port.ts';
import { boardTools } from '../mcp/board-tools.ts';
import { type ChangesPort, changeTools } from '../mcp/change-tools.ts';
import { type EventsPort, eventTools } from '../mcp/event-tools.ts';
import { createMcpFace, type McpFace } from '../mcp/mcp-face.ts';
import { terminalTools } from '../mcp/terminal-tools.ts';
import type { Composition } from './compose.ts';

interface McpOptions {
  readonly version: string;
  readonly log: Logger;
}

/** `conv_` and eight digits: what a person can tell apart. */
const SHORT_ID_CHARS = 13;

export function composeMcp(stack: Composition, options: McpOptions): McpFace {
  const { registry, board, terminals, eventStack } = stack;
  const labelOf = (id: string) => registry.metaOf(id)?.label ?? id.slice(0, SHORT_ID_CHARS);
  return createMcpFace({
    version: options.version,
    tools: {
      ...terminalTools(terminals),
      ...boardTools(createBoardPort(board, labelOf)),
      ...changeTools(changesOf(stack.changes)),
      ...eventTools({ events: eventsOf(eventStack.events), newId: () => `evt_${randomUUID()}`, now: Date.now }),
    },
    callerOf(subject, threadId) {
      if (subject.kind === 'agent') return ok(subject);
      const id = subject.kind === 'conversation' ? subject.conversationId : threadId && registry.ownerOf(threadId);
      return id && registry.isKnown(id)
        ? ok({ kind: 'conversation', conversationId: id })
        : fail('unknown_conversation', 'this call belongs to no conversation of this server');
    },
    onError: (error) => options.log.warn({ error }, 'mcp'),
  });
}

/** The events of one conversation: its id is an address of its thread, also before it has one. */
function eventsOf(events: Events): EventsPort {
  return {
    list: (id, { unread, ...query }) =>
      events.reading.list({ ...query, thread_id: id, unread: unread ? 'true' : undefined }),
    read: (id, seq) => events.reading.read(id, seq),
    ack: (id, seqs) => events.reading.ackSeqs(id, seqs),
    async send(id, event) {
      const published = { ...event, routing: { thread_id: id } };
      const sent = resultOfAck(await events.publish(published, { kind: 'agent', conversationId: id }, 'mcp'));
      return sent.ok ? ok({ event_id: sent.value.event_id, mode: sent.value.delivered.mode }) : sent;
    },
  };
}

function changesOf(changes: Changes): ChangesPort {
  return {
    async status(id) {
      const listed = changes.list(id);
      if (!listed.ok) return listed;
      const status = await changes.status(id);
      const checkpoints = listed.value.length;
      return ok(
        status.ok
          ? { repository: status.value, reason: null, checkpoints }
          : { repository: null, reason: status.error.message, checkpoints },
      );
    },
    async diff(id, turn, path) {
      const listed = changes.list(id);
      if (!listed.ok) return listed;
      const checkpoint = listed.value.find(({ number }) => number === turn);
      if (turn !== undefined && checkpoint === undefined) return fail('not_found', `there is no kept turn ${turn}`);
      const text =
        checkpoint === undefined
          ? await changes.diff(id, { kind: 'head' }, { kind: 'work_tree' }, path)
          : await changes.diff(
              id,
              { kind: 'checkpoint', checkpoint, side: 'before' },
              { kind: 'checkpoint', checkpoint, side: 'after' },
              path,
            );
      return text.ok ? ok(text.value.text) : text;
    },
  };
}

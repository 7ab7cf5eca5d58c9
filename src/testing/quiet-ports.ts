/** Ports of the server's domains for tests that use one or two of their functions: all others refuse, or have nothing. */
import { fail, ok, type Result } from '../contract/result.ts';
import type { CodexOperations } from '../core/codex/operations.ts';
import type { ConversationPorts } from '../server/conversations/conversation.ts';
import type { ThreadsPort } from '../server/events/ports.ts';

const refuse = async (): Promise<Result<never>> => fail('internal', 'not in this test');

/** A Codex that refuses every request. */
export function quietCodex(change: Partial<CodexOperations> = {}): CodexOperations {
  return {
    startThread: refuse,
    resumeThread: refuse,
    forkThread: refuse,
    releaseThread: refuse,
    revertThread: refuse,
    archiveThread: refuse,
    unarchiveThread: refuse,
    deleteThread: refuse,
    nameThread: refuse,
    readNetworkAccess: refuse,
    compactThread: refuse,
    injectFragments: refuse,
    readThread: refuse,
    listThreads: refuse,
    listLoadedThreads: refuse,
    listTurns: refuse,
    startTurn: refuse,
    steerTurn: refuse,
    interruptTurn: refuse,
    startReview: refuse,
    listRunningCommands: refuse,
    killCommand: refuse,
    runShellCommand: refuse,
    readKeptMessages: async () => null,
    readTurnTriggers: async () => new Map(),
    readTasks: async () => [],
    holderOf: () => null,
    epoch: () => 'e',
    ...change,
  };
}

/** One conversation for every thread: idle, loaded, and its outbox takes whatever it is told. */
export function quietThreads(change: Partial<ThreadsPort> = {}): ThreadsPort {
  return {
    addressOf: (id) => id,
    find: async () => ({ conversationId: `conv_${'1'.repeat(32)}`, label: null, lostThreads: [] }),
    status: () => ({ turnId: null, isLoaded: true, isArchived: false, areEventsOn: true, autoTurnsInARow: 0 }),
    capabilities: () => ({ canSteer: true, canInject: true }),
    isAnyTurnRunning: () => false,
    append: async () => ok(1),
    deliver: async () => ok(null),
    runningHops: () => 0,
    hasKept: async () => false,
    ...change,
  };
}

/** An open conversation that nobody listens to, and whose messages carry nothing. */
export function quietConversation(
  real: Pick<ConversationPorts, 'clock' | 'log' | 'store' | 'digest' | 'codex'>,
  change: Partial<ConversationPorts> = {},
): ConversationPorts {
  return {
    ...real,
    context: { prepare: async () => ({ carried: [] }), settle: async () => undefined, eventsOf: async () => [] },
    events: { catchUp: async () => undefined, note: async () => undefined, beginInjection: async () => null },
    beforeTurn: async () => undefined,
    capabilities: () => ({ canSteer: true, canInject: true }),
    project: async () => ok({ levels: {}, withheld: [], loads: '', isCurrent: async () => true }),
    newPrefix: () => 'dlv',
    at: () => undefined,
    publish: () => undefined,
    ask: () => undefined,
    unask: () => undefined,
    reply: () => undefined,
    claim: () => undefined,
    onRow: () => undefined,
    onLifecycle: () => undefined,
    onInterrupted: () => undefined,
    ...change,
  };
}

/** The table of peers: who counts as a person, as an agent, and as neither. */
import { expect, test } from 'vitest';
import type { ConversationId } from '../../contract/ids.ts';
import { classifyPeer, type Peer, type PeerFacts, type PeerProcess, signOf } from './classify-peer.ts';

const HERE: ConversationId = 'conv_00000000000000000000000000000001';
const THERE: ConversationId = 'conv_00000000000000000000000000000002';
const ME = 1000;
const [INIT, MANAGER, SERVER, CODEX, HOST, SHELL_OF_TERMINAL, FRAMEWORK_SHELL] = [1, 900, 5000, 5001, 5002, 5003, 5004];
const FIRST_START = 100_000;
const OLD = 50_000;
const YOUNG = 200_000;

/** `pid:parent`, the process itself first; young and mine unless it says otherwise. */
const line = (...processes: readonly (readonly [number, number, Partial<PeerProcess>?])[]): readonly PeerProcess[] =>
  processes.map(([pid, parentPid, more]) => ({ pid, parentPid, realUid: ME, startTicks: YOUNG, ...more }));

const facts = (lineage: PeerFacts['lineage'], more: Partial<PeerFacts> = {}): PeerFacts => ({
  lineage,
  own: {
    server: SERVER,
    codex: [CODEX],
    ptyHost: HOST,
    terminals: new Map([[SHELL_OF_TERMINAL, HERE]]),
    shells: [FRAMEWORK_SHELL, CODEX, HOST],
  },
  commandOf: null,
  markedBy: null,
  adopters: new Set([INIT]),
  firstStartTicks: FIRST_START,
  uid: ME,
  isInOtherGroup: false,
  limit: null,
  ...more,
});

const root = [INIT, 0, { realUid: 0, startTicks: 1 }] as const;
const server = [SERVER, 4000, {}] as const;
const bash = [4000, INIT, { startTicks: OLD }] as const;
const agent = (conversationId: ConversationId | null): Peer => ({ kind: 'agent', conversationId });
const person: Peer = { kind: 'person' };
const unknown: Peer = { kind: 'unknown' };
const shell: Peer = { kind: 'shell' };

test.each<[string, PeerFacts, Peer]>([
  [
    'a program on a system that tells neither start times nor control groups',
    facts(line([7000, INIT, { startTicks: null }], root), { firstStartTicks: null, isInOtherGroup: null }),
    person,
  ],
  ['Codex itself', facts(line([CODEX, SERVER], server, bash, root)), { kind: 'codex' }],
  ['a Codex that outlived its server', facts(line([CODEX, INIT], root)), { kind: 'codex' }],
  [
    'a command of Codex',
    facts(line([7000, CODEX], [CODEX, SERVER], server, bash, root), { commandOf: HERE }),
    agent(HERE),
  ],
  [
    'a command of Codex of which no conversation is known',
    facts(line([7000, CODEX], [CODEX, SERVER], server, bash, root)),
    agent(null),
  ],
  [
    'an orphan in the sandbox: its namespace has a first process of its own, which Codex started',
    facts(line([7002, 7001], [7001, CODEX], [CODEX, SERVER], server, bash, root), { commandOf: HERE }),
    agent(HERE),
  ],
  [
    'a command of the shared terminal, whatever its environment names',
    facts(line([7000, SHELL_OF_TERMINAL], [SHELL_OF_TERMINAL, HOST], [HOST, SERVER], server, bash, root), {
      markedBy: THERE,
    }),
    agent(HERE),
  ],
  ['a process of the pty host that is no terminal we know', facts(line([7000, HOST], [HOST, INIT], root)), agent(null)],
  [
    'a Framework Shell on a terminal of the pty host',
    facts(line([7000, FRAMEWORK_SHELL], [FRAMEWORK_SHELL, HOST], [HOST, SERVER], server, bash, root)),
    shell,
  ],
  ['the notify command', facts(line([7000, SERVER], server, bash, root)), shell],
  ['the server itself', facts(line(server, bash, root)), shell],
  ['an orphan that kept its environment', facts(line([7000, INIT], root), { markedBy: HERE }), agent(HERE)],
  ['an orphan without an environment', facts(line([7000, INIT], root)), unknown],
  ['an orphan that opened a terminal of its own', facts(line([7001, 7000], [7000, INIT], root)), unknown],
  [
    'an orphan below a manager that adopts, which is old itself',
    facts(line([7000, MANAGER], [MANAGER, INIT, { startTicks: OLD }], root), { adopters: new Set([INIT, MANAGER]) }),
    unknown,
  ],
  ['a shell that is older than the server', facts(line([7000, 4000], bash, root)), person],
  [
    'a login by ssh, whose daemon is old and of another user',
    facts(line([7002, 7001], [7001, 800], [800, INIT, { realUid: 0, startTicks: OLD }], root)),
    person,
  ],
  [
    'a login whose first process is young, but of another user',
    facts(line([7001, 7000], [7000, INIT, { realUid: 0 }], root)),
    person,
  ],
  [
    'the same for a server that runs as root, which can become anybody',
    facts(line([7001, 7000, { realUid: 0 }], [7000, INIT, { realUid: 33 }], root), { uid: 0 }),
    unknown,
  ],
  [
    'a terminal window in a control group of its own',
    facts(line([7001, 7000], [7000, INIT], root), { isInOtherGroup: true }),
    person,
  ],
  ['a process put into the container from outside', facts(line([7001, 7000], [7000, 0])), person],
  ['the first process of the container', facts(line(root)), person],
  ['a process whose ancestors ended while we looked', facts(null), unknown],
  [
    'a young process where the system says no start times',
    facts(line([7000, INIT, { startTicks: null }], root), { isInOtherGroup: null }),
    unknown,
  ],
  ['an orphan with a limit that no agent can have', facts(line([7000, INIT], root), { limit: 'above' }), person],
  ['an orphan with the limit of an agent', facts(line([7000, INIT], root), { limit: 'agent' }), agent(null)],
  ['an orphan that lowered its limit', facts(line([7000, INIT], root), { limit: 'below' }), agent(null)],
  ['an orphan of a Framework Shell', facts(line([7000, INIT], root), { limit: 'shell' }), shell],
  ['an old shell with a low limit', facts(line([7000, 4000], bash, root), { limit: 'below' }), person],
  [
    'an orphan with a high limit whose environment names a conversation',
    facts(line([7000, INIT], root), { limit: 'above', markedBy: HERE }),
    agent(HERE),
  ],
])('[AG1] %s', (_who, given, peer) => {
  expect(classifyPeer(given)).toEqual(peer);
});

test('[AG8] a limit above every mark shows a person only if everything was marked', () => {
  const marks = { agent: 98, shell: 99, isComplete: true };
  const signs = [null, 97, 98, 99, 100, Number.POSITIVE_INFINITY].map((hard) => signOf(hard, marks));
  expect(signs).toEqual([null, 'below', 'agent', 'shell', 'above', 'above']);
  expect(signOf(100, { ...marks, isComplete: false })).toBeNull();
  expect(signOf(98, { ...marks, isComplete: false })).toBe('agent');
  expect(signOf(98, null)).toBeNull();
});

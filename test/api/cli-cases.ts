/** What each command exits with, and when. A command that is not in this table fails the test that walks it. */

/** `$CONVERSATION`, `$THREAD` and `$SPEC` (a shellspec with a shell named `napper`) stand for real ones. */
export interface Case {
  readonly when: string;
  readonly args: readonly string[];
  readonly code: number;
  readonly stdin?: string;
  /** Run against a home that no server holds. */
  readonly isAlone?: boolean;
}

const alone = (...args: readonly string[]): Case => ({ when: 'no server runs', args, code: 3, isAlone: true });
const unknown = (...args: readonly string[]): Case => ({ when: 'nobody knows it', args, code: 5 });
const fine = (...args: readonly string[]): Case => ({ when: 'all is well', args, code: 0 });
const wrong = (...args: readonly string[]): Case => ({ when: 'it is used wrongly', args, code: 2 });

const EVENT = ['--type', 'build.completed', '--title', 'CI'] as const;

export const CASES: Readonly<Record<string, readonly Case[]>> = {
  serve: [
    { when: 'another server holds the home', args: ['--no-open', '--demo', '--port', '0'], code: 75 },
    wrong('--port', 'high'),
    wrong('-c', 'no.such=1'),
    wrong('somewhere'),
  ],
  doctor: [{ when: 'a check fails', args: ['-c', 'no.such=1'], code: 1 }],
  open: [fine('--no-open'), alone()],
  status: [fine(), alone()],
  stop: [alone()],
  'conversations list': [fine('-n', '5'), alone(), wrong('-n', 'many')],
  'conversations new': [
    fine('--label', 'Another'),
    alone(),
    wrong('--sandbox', 'none'),
    wrong('--cwd', '/no/such/directory'),
  ],
  'conversations show': [fine('$CONVERSATION'), alone('x'), unknown('nobody'), wrong()],
  'conversations send': [
    fine('$CONVERSATION', 'Hello'),
    { when: 'the turn fails', args: ['$CONVERSATION', 'Fail on purpose'], code: 1 },
    alone('x', 'Hello'),
    unknown('nobody', 'Hello'),
    wrong('$CONVERSATION', 'Hello', '--steer', '--queue'),
    wrong('$CONVERSATION', 'Hello', '--image', '/no/such/picture.png'),
  ],
  'conversations review': [
    fine('$CONVERSATION'),
    fine('$CONVERSATION', '--instructions', 'Look at the names'),
    alone('x'),
    unknown('nobody'),
    wrong('$CONVERSATION', '--base', 'main', '--commit', '1a2b3c4'),
    wrong('$CONVERSATION', '--commit', '--output=x'),
  ],
  'conversations export': [
    fine('$CONVERSATION'),
    alone('x'),
    unknown('nobody'),
    wrong('$CONVERSATION', '--format', 'pdf'),
  ],
  'conversations names': [fine(), fine('--threads'), alone(), wrong('extra')],
  'conversations fork': [fine('$CONVERSATION'), alone('x'), unknown('nobody'), wrong()],
  'conversations rename': [fine('$CONVERSATION', 'Renamed'), alone('x', 'y'), unknown('nobody', 'y'), wrong('x')],
  'conversations stop': [fine('$CONVERSATION'), alone('x'), unknown('nobody'), wrong()],
  'conversations retry': [
    { when: 'the last message was answered', args: ['$CONVERSATION'], code: 1 },
    alone('x'),
    unknown('nobody'),
    wrong(),
  ],
  'conversations delete': [alone('x'), unknown('nobody'), wrong()],
  'conversations restore': [alone('x'), unknown('nobody'), wrong()],
  'conversations archive': [fine('$CONVERSATION'), alone('x'), unknown('nobody'), wrong()],
  'conversations recover': [
    { when: 'Codex can read it', args: ['$CONVERSATION'], code: 1 },
    alone('x'),
    unknown('nobody'),
    wrong(),
  ],
  'conversations import': [
    fine('$THREAD'),
    alone('x'),
    unknown('00000000-0000-7000-8000-000000000000'),
    wrong('not-a-thread'),
  ],
  changes: [
    fine('$CONVERSATION'),
    { when: 'there is no such turn', args: ['$CONVERSATION', '--turn', '99'], code: 1 },
    alone('x'),
    unknown('nobody'),
    wrong('--turn', 'last'),
  ],
  undo: [
    { when: 'no turn was kept', args: ['$CONVERSATION'], code: 1 },
    alone('x'),
    unknown('nobody'),
    wrong('$CONVERSATION', '--changed-since', 'merge'),
  ],
  'checkpoint list': [fine('$CONVERSATION'), alone('x'), unknown('nobody')],
  'checkpoint show': [
    { when: 'there is no such checkpoint', args: ['1', '$CONVERSATION'], code: 1 },
    alone('1', 'x'),
    unknown('1', 'nobody'),
    wrong('first'),
  ],
  'checkpoint restore': [
    { when: 'there is no such checkpoint', args: ['1', '$CONVERSATION'], code: 1 },
    alone('1', 'x'),
    unknown('1', 'nobody'),
    wrong('first'),
  ],
  commit: [
    { when: 'there is no repository', args: ['$CONVERSATION', '-m', 'x'], code: 1 },
    alone('x'),
    unknown('nobody', '-m', 'x'),
    wrong('--message'),
  ],
  branch: [
    { when: 'there is no repository', args: ['x', '$CONVERSATION'], code: 1 },
    alone('x'),
    unknown('x', 'nobody'),
    wrong(),
  ],
  switch: [
    { when: 'there is no repository', args: ['x', '$CONVERSATION'], code: 1 },
    alone('x'),
    unknown('x', 'nobody'),
    wrong(),
  ],
  pull: [
    { when: 'there is no repository', args: ['$CONVERSATION'], code: 1 },
    alone('x'),
    unknown('nobody'),
    wrong('$CONVERSATION', '--mode', 'octopus'),
  ],
  push: [
    { when: 'there is no repository', args: ['$CONVERSATION'], code: 1 },
    alone('x'),
    unknown('nobody'),
    wrong('--remote'),
  ],
  pr: [
    { when: 'there is no repository', args: ['$CONVERSATION', '--show'], code: 1 },
    alone('x'),
    unknown('nobody'),
    wrong('--title'),
  ],
  'worktree list': [fine(), alone(), wrong('extra')],
  'worktree add': [wrong('a..b'), alone('x'), wrong()],
  'worktree finish': [{ when: 'it is no work tree', args: ['/'], code: 1 }, alone('/'), wrong('/', '--mode', 'squash')],
  'worktree remove': [{ when: 'it is no work tree', args: ['/'], code: 1 }, alone('/'), wrong()],
  ps: [fine(), fine('$CONVERSATION', '--end'), alone(), unknown('nobody'), wrong('--end')],
  'tokens create': [
    fine('--scope', 'read,operate', '--label', 'ci', '--expires', '30d'),
    fine('--scope', 'read', '--conversation', '$CONVERSATION'),
    alone('--scope', 'read'),
    wrong('--scope', 'all'),
    wrong('--scope', 'read', '--expires', 'soon'),
    { when: 'nobody knows the conversation', args: ['--scope', 'read', '--conversation', 'nobody'], code: 5 },
  ],
  'tokens list': [fine(), alone()],
  'tokens revoke': [
    { when: 'there is no such token', args: ['tok_0123456789ab'], code: 1 },
    alone('tok_0123456789ab'),
    wrong('ci'),
  ],
  'password set': [{ when: 'there is no terminal', args: [], code: 2 }],
  'password remove': [fine()],
  'password status': [fine(), { when: 'no server runs', args: [], code: 0, isAlone: true }],
  'logins allow': [
    { when: 'there is no terminal of a person', args: ['1234'], code: 4 },
    alone('1234'),
    wrong('12'),
    wrong('12345'),
  ],
  'board post': [fine('Hello', '--who', 'me'), alone('Hello'), wrong('Hello', '--reply-to', 'x')],
  'board read': [fine('-n', '5'), alone(), wrong('-n', '0')],
  'board await': [
    fine('--after', '0', '--timeout', '1'),
    { when: 'nothing comes', args: ['--text', 'never said', '--timeout', '0'], code: 1 },
    alone(),
    wrong('--timeout', 'long'),
  ],
  'board delete': [fine('1'), { when: 'it is not there', args: ['99'], code: 1 }, alone('1'), wrong('x')],
  'shells up': [
    fine('$SPEC'),
    alone('$SPEC'),
    wrong(),
    { when: 'the file is not there', args: ['none.yaml'], code: 1 },
  ],
  'shells list': [fine(), alone()],
  'shells logs': [fine('napper'), alone('x'), { when: 'nobody has that name', args: ['nobody'], code: 1 }, wrong()],
  'shells attach': [{ when: 'nobody has that name', args: ['nobody'], code: 1 }, alone('x'), wrong()],
  'shells down': [fine('napper'), { when: 'nobody has that name', args: ['nobody'], code: 1 }, alone('x'), wrong()],
  'shells purge': [fine(), { when: 'nobody has that name', args: ['nobody'], code: 1 }, alone()],
  'events send': [
    fine('--thread', '$THREAD', ...EVENT, '--event-id', 'e1'),
    { when: 'it was sent before', args: ['--thread', '$THREAD', ...EVENT, '--event-id', 'e1'], code: 7 },
    { when: 'it is no event', args: ['--thread', '$THREAD', '--type', 'no type', '--title', 'x'], code: 6 },
    alone('--thread', 'x', ...EVENT),
    unknown('--thread', 'nobody', ...EVENT),
    wrong(...EVENT),
  ],
  'events show': [fine('--thread', '$THREAD'), alone('--thread', 'x'), unknown('--thread', 'nobody'), wrong()],
  'events list': [fine(), alone()],
  'events tail': [alone('--thread', 'x'), unknown('--thread', 'nobody'), wrong()],
  'events ack': [fine('--thread', '$THREAD'), alone('--thread', 'x'), unknown('--thread', 'nobody'), wrong()],
  'events inbox-path': [fine('--thread', '$THREAD'), unknown('--thread', 'nobody'), wrong()],
  mcp: [
    { ...fine('--as', 'reviewer'), stdin: '{"jsonrpc":"2.0","id":1,"method":"ping"}\n' },
    alone('--as', 'reviewer'),
    unknown('--conversation', 'nobody'),
    wrong(),
    wrong('--as', 'x', '--conversation', '$CONVERSATION'),
  ],
  'trust list': [fine(), alone(), wrong('extra')],
  'trust show': [fine('/'), alone('/'), wrong('/', 'extra')],
  'trust add': [{ when: 'only a person may', args: ['/'], code: 4 }, alone('/'), wrong('/', 'extra')],
  'trust revoke': [{ when: 'nothing was decided', args: ['/'], code: 1 }, alone('/'), wrong('/', 'extra')],
  run: [wrong('--thread', '$THREAD'), wrong('true')],
  completion: [fine('bash'), fine('zsh'), fine('fish'), wrong('csh'), wrong()],
  man: [fine()],
  'shell-init': [fine('bash'), fine('zsh'), fine('fish'), wrong('csh'), wrong()],
  'service install': [fine(), wrong('extra')],
  'service status': [{ when: 'it does not run', args: [], code: 3 }],
  'service uninstall': [fine(), wrong('extra')],
};

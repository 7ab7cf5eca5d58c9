/** `tokens …`, `password …` and `logins …`: what each takes. */
import { type Command, InvalidArgumentError } from 'commander';
import { TOKEN_SCOPES, type TokenScope } from '../contract/access.ts';
import { withExamples } from './examples.ts';
import type { Runner } from './runner.ts';
import type { CreateOptions } from './tokens.ts';

/** Loaded when one of them runs: the tree is built for every command line, also for `serve`. */
const tokens = () => import('./tokens.ts');
const password = () => import('./password.ts');
const logins = () => import('./logins.ts');

export function addAccess(program: Command, runner: Runner): void {
  addTokens(program, runner);
  addPassword(program, runner);
  addLogins(program, runner);
}

function addTokens(program: Command, { runWithClient }: Runner): void {
  const group = program.command('tokens').description('tokens for CI and scripts, each with the scopes it needs');
  withExamples(group, ['signalbox tokens list', 'which there are, and when each was used']);
  const create = group
    .command('create')
    .description('make a token and print it, this once; asks the server from your own terminal')
    .requiredOption('--scope <scopes>', `what it may do, with commas: ${TOKEN_SCOPES.join(', ')}`, parseScopes)
    .option('--label <label>', 'what it is for')
    .option('--expires <time>', 'when it ends: 12h, 30d, 8w (default: never)', parseDays)
    .option('--conversation <conversation>', 'only for this one')
    .action((options: CreateOptions, command: Command) =>
      runWithClient(command, async (out, client, home) => (await tokens()).createToken(out, client, home, options)),
    );
  withExamples(
    create,
    [
      'signalbox tokens create --scope read,operate --label ci --expires 30d',
      'for CI: sends and publishes, runs nothing',
    ],
    ['export SIGNALBOX_TOKEN=$(signalbox tokens create --scope read)', 'the commands of this shell only read'],
  );
  const list = group
    .command('list')
    .description('list tokens, without their secrets')
    .action((_options: unknown, command: Command) =>
      runWithClient(command, async (out, client) => (await tokens()).listTokens(out, client)),
    );
  withExamples(list, ['signalbox tokens list --json', 'with scopes, last use and expiry']);
  const revoke = group
    .command('revoke')
    .description('end a token at once')
    .argument('<id>', 'its id: tok_ and 12 digits', parseId)
    .action((id: string, _options: unknown, command: Command) =>
      runWithClient(command, async (out, client) => (await tokens()).revokeToken(out, client, id)),
    );
  withExamples(revoke, ['signalbox tokens revoke tok_0123456789ab', 'its open connections are closed too']);
}

function addPassword(program: Command, { run }: Runner): void {
  const group = program
    .command('password')
    .description('a password that the page asks for before it makes Codex or a program freer');
  withExamples(group, ['signalbox password status', 'whether one is set']);
  const set = group
    .command('set')
    .description('set or change it; asks at the terminal')
    .action((_options: unknown, command: Command) =>
      run(command, async (out, home) => (await password()).setPassword(out, home)),
    );
  withExamples(set, ['signalbox password set', 'at least 8 characters; takes effect at once']);
  const remove = group
    .command('remove')
    .description('remove it; asks for it at the terminal')
    .action((_options: unknown, command: Command) =>
      run(command, async (out, home) => (await password()).dropPassword(out, home)),
    );
  withExamples(remove, ['signalbox password remove', 'lost it? delete password.json in the home']);
  const status = group
    .command('status')
    .description('say whether one is set')
    .action((_options: unknown, command: Command) =>
      run(command, async (out, home) => (await password()).showPassword(out, home)),
    );
  withExamples(status, ['signalbox password status', 'exit 0 in both cases']);
}

function addLogins(program: Command, { run }: Runner): void {
  const group = program
    .command('logins')
    .description('new browsers that wait until the browser that is open lets them in');
  withExamples(group, ['signalbox logins allow 1234', 'let one in when the open browser is out of reach']);
  const allow = group
    .command('allow')
    .description('let a new browser in from your own terminal; the open browser can refuse it for a minute')
    .argument('<code>', 'the four digits it shows', parseCode)
    .action((code: string, _options: unknown, command: Command) =>
      run(command, async (out, home) => (await logins()).allowNewBrowser(out, home, code)),
    );
  withExamples(allow, ['signalbox logins allow 1234', 'with a password set it asks for it, and opens at once']);
}

function parseCode(text: string): string {
  if (!/^\d{4}$/.test(text)) throw new InvalidArgumentError('Expected the four digits that the new browser shows.');
  return text;
}

function parseScopes(text: string): TokenScope[] {
  const words = text.split(',').map((word) => word.trim());
  const scopes = words.flatMap((word) => TOKEN_SCOPES.filter((scope) => scope === word));
  if (scopes.length !== words.length) throw new InvalidArgumentError(`Expected some of ${TOKEN_SCOPES.join(', ')}.`);
  return scopes;
}

const DAYS_OF_UNIT: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7 };
/** What the route allows. */
const MAX_DAYS = 366;

function parseDays(text: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const days = Number(count) * (DAYS_OF_UNIT[unit] ?? Number.NaN);
  if (!(days > 0 && days <= MAX_DAYS)) throw new InvalidArgumentError('Expected 1h to 366d, such as 12h, 30d or 8w.');
  return days;
}

function parseId(text: string): string {
  if (!/^tok_[0-9a-f]{12}$/.test(text)) throw new InvalidArgumentError('Expected tok_ and 12 hex digits.');
  return text;
}

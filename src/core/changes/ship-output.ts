/** What git, hooks and hosts print while work is shipped: folds progress, finds the hooks in a trace, explains a failure. Pure. */
import type { HookRun, ShipAction, ShipFailure } from '../../contract/ship.ts';
import { isRecord } from '../text/is-record.ts';
import { parseJson } from '../text/parse-json.ts';
import { withoutCredentials } from './remote-url.ts';

/** Enough for the beginning of a run and its end, which says why it failed. */
const HEAD_CHARS = 16 * 1024;
const TAIL_CHARS = 48 * 1024;

/** Keeps beginning and end of what was printed, however much it is. */
export interface OutputText {
  readonly head: string;
  readonly tail: string;
  readonly isCut: boolean;
}

export const NO_OUTPUT: OutputText = { head: '', tail: '', isCut: false };

export function addOutput({ head, tail, isCut }: OutputText, text: string): OutputText {
  const room = isCut || tail !== '' ? 0 : HEAD_CHARS - head.length;
  const joined = tail + text.slice(room);
  const isLong = joined.length > TAIL_CHARS;
  return {
    head: head + text.slice(0, room),
    tail: isLong ? joined.slice(-TAIL_CHARS) : joined,
    isCut: isCut || isLong,
  };
}

/** A line that was written over itself, as progress is, stands with its last state. Addresses show no credentials. */
export function showOutput({ head, tail, isCut }: OutputText): string {
  const whole = isCut ? `${head}\n[… cut …]\n${tail}` : head + tail;
  const lines = whole.split('\n').map((line) => {
    const parts = line.split('\r').filter((part) => part !== '');
    return (parts.at(-1) ?? '').trimEnd();
  });
  return withoutCredentials(lines.join('\n')).trim();
}

interface HookStart {
  readonly childId: number;
  readonly name: string;
}

/** Reads the trace of one git process; what the hooks themselves start with git has another session id and is not counted. */
export function createHookReader(): { readonly read: (line: string) => void; readonly hooks: () => HookRun[] } {
  const open: HookStart[] = [];
  const runs: HookRun[] = [];
  return {
    read(line) {
      const event = parseJson(line);
      if (!isRecord(event) || typeof event.sid !== 'string' || event.sid.includes('/')) return;
      const { child_id: childId } = event;
      if (typeof childId !== 'number') return;
      if (event.event === 'child_start' && event.child_class === 'hook' && typeof event.hook_name === 'string')
        open.push({ childId, name: event.hook_name });
      const started = event.event === 'child_exit' ? open.findIndex((one) => one.childId === childId) : -1;
      const [hook] = started < 0 ? [] : open.splice(started, 1);
      if (hook !== undefined)
        runs.push({ name: hook.name, exit_code: typeof event.code === 'number' ? event.code : null });
    },
    hooks: () => [...runs, ...open.map(({ name }) => ({ name, exit_code: null }))].slice(0, 100),
  };
}

/** What a failed action means and what to do next. `output` is what git printed. */
export function explainFailure(action: ShipAction, output: string, hooks: readonly HookRun[]): ShipFailure {
  const say = (reason: ShipFailure['reason'], message: string, files: readonly string[] = []): ShipFailure => ({
    reason,
    message,
    files: [...files],
  });
  const last = lastLine(output);
  if (/\.lock': File exists/.test(output))
    return say(
      'locked',
      'Another git command works in this repository. Wait until it ends; if none runs, delete the lock file that the output names.',
    );
  if (/Please tell me who you are|unable to auto-detect email|empty ident/.test(output))
    return say('identity', NO_IDENTITY);
  const hook = hooks.findLast(
    ({ exit_code, name }) => exit_code !== 0 && exit_code !== null && !name.startsWith('post-'),
  );
  if (hook !== undefined)
    return say(
      'hook',
      `The hook ${hook.name} refused this ${WORDS[action]} (exit code ${hook.exit_code}). Its output says why.`,
    );
  if (/gpg failed to sign|failed to write commit object|Load key .{0,300} failed|Couldn't sign/i.test(output))
    return say(
      'signing',
      'The commit could not be signed. Unlock your key in a terminal (a question for a passphrase cannot be answered here), then try again.',
    );
  const overwritten = overwrittenFiles(output);
  if (overwritten.length > 0)
    return say(
      'overwrite',
      'These files have changes that are not committed and would be overwritten. Commit them first.',
      overwritten,
    );
  if (/stale info/.test(output))
    return say(
      'rejected',
      'The remote has commits that you have not seen. Nothing was replaced. Pull or fetch first, and look at them.',
    );
  if (/\[remote rejected\]|pre-receive hook declined|protected branch/i.test(output))
    return say('refused', `The remote refused the push: ${last}`);
  if (/\[rejected\]|non-fast-forward|fetch first/.test(output))
    return say('rejected', 'The remote has commits that are not in your branch. Pull first, then push again.');
  if (/Not possible to fast-forward|Diverging branches|divergent branches/i.test(output))
    return say('diverged', 'Your branch and its upstream have both moved. Pull again with merge or rebase.');
  if (
    /could not read (Username|Password)|Authentication failed|terminal prompts disabled|Permission denied \(|Invalid username or (token|password)|Host key verification failed|askpass/i.test(
      output,
    )
  )
    return say(
      'login',
      'The remote did not accept a login. Log in with a credential helper, ssh-agent or `gh auth login` in a terminal, then try again.',
    );
  if (
    /Could not resolve host|Connection (refused|timed out|reset)|Failed to connect|does not appear to be a git repository|repository .* not found/i.test(
      output,
    )
  )
    return say('unreachable', `The remote could not be reached: ${last}`);
  if (/nothing to commit|no changes added to commit|nothing added to commit/.test(output))
    return say('nothing', 'There is nothing to commit.');
  return say('other', last === '' ? `The ${WORDS[action]} failed without a word.` : last);
}

export const NO_IDENTITY =
  'Git does not know who you are. Set it in a terminal: `git config --global user.name "Your Name"` and `git config --global user.email you@example.com`.';

const WORDS: Readonly<Record<ShipAction, string>> = {
  commit: 'commit',
  branch: 'branch',
  switch: 'switch',
  pull: 'pull',
  push: 'push',
  pull_request: 'pull request',
};

const MAX_LINE = 500;

/** The last line that says something: git's own complaint if there is one. */
function lastLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('hint:'));
  const complaint = lines.findLast((line) => /^(fatal|error|remote: error):/.test(line)) ?? lines.at(-1) ?? '';
  return complaint.replace(/^(fatal|error): /, '').slice(0, MAX_LINE);
}

/** Git lists the files behind a tab each. */
function overwrittenFiles(output: string): string[] {
  if (!/would be overwritten by/.test(output)) return [];
  return [...output.matchAll(/^\t(.+)$/gm)].map(([, name = '']) => name);
}

/** Pull requests with a `gh` and a `glab` that take the arguments of the real ones and refuse others. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CONVERSATION } from '../../testing/changes-stand.ts';
import { openShipStand } from '../../testing/ship-stand.ts';

/** Logged in to `github.com` only; refuses what the real one refuses. */
const GH = `#!/bin/sh
echo "gh|$PWD|$*" >> "$LOG"
case "$1 $2" in
"auth status")
  [ "$3" = --hostname ] && [ "$4" = github.com ] && exit 0
  echo "You are not logged into any accounts on $4" >&2; exit 1;;
"pr create") shift 2;;
*) echo "unknown command" >&2; exit 1;;
esac
while [ $# -gt 0 ]; do
  case "$1" in
  --repo|--head|--base|--title) eval "$(echo "$1" | tr -d -)=\\$2"; shift 2;;
  --body-file) [ "$2" = - ] || exit 1; cat > "$BODY"; shift 2;;
  --draft) draft=1; shift;;
  *) echo "unknown flag: $1" >&2; exit 1;;
  esac
done
[ -n "$title" ] && [ -n "$head" ] || { echo "must provide --title" >&2; exit 1; }
[ "$title" = taken ] && { echo "a pull request for branch \\"$head\\" already exists: https://$repo/pull/1" >&2; exit 1; }
echo "Creating pull request for $head into $base in $repo" >&2
echo "https://$repo/pull/7"
`;

const GLAB = `#!/bin/sh
echo "glab|$PWD|$*" >> "$LOG"
case "$1 $2" in
"auth status") [ "$4" = gitlab.example.com ]; exit;;
"mr create") ;;
*) exit 1;;
esac
echo "https://gitlab.example.com/g/r/-/merge_requests/3"
`;

async function openStand(url: string) {
  const stand = await openShipStand();
  const bin = join(stand.dir, 'bin');
  mkdirSync(bin);
  const fill = (text: string) =>
    text.replaceAll('$LOG', join(stand.dir, 'log.txt')).replaceAll('$BODY', join(stand.dir, 'body.txt'));
  for (const [name, text] of [
    ['gh', GH],
    ['glab', GLAB],
  ] as const) {
    writeFileSync(join(bin, name), fill(text));
    chmodSync(join(bin, name), 0o755);
  }
  stand.git(['remote', 'add', 'origin', url]);
  stand.git(['switch', '-qc', 'codex/fix']);
  stand.write('a.txt', 'two\n');
  stand.git(['commit', '-qam', 'Fix it']);
  return {
    ...stand,
    log: () => (existsSync(join(stand.dir, 'log.txt')) ? readFileSync(join(stand.dir, 'log.txt'), 'utf8') : ''),
    pushed: () => stand.git(['update-ref', 'refs/remotes/origin/codex/fix', 'HEAD']),
    open: async (request: { title: string; body: string; base: string; is_draft: boolean }) =>
      stand.ship.pullRequest(CONVERSATION, request, await stand.seen()),
  };
}

const REQUEST = { title: 'Fix "it" $(now)', body: '- a\n`b`', base: 'main', is_draft: true };

test('[CH148] gh opens the request, outside the repository, with title and text as they were edited', async () => {
  const { open, ship, finish, pushed, log, dir, root } = await openStand('https://me:s3cret@github.com/o/r.git');
  expect(await ship.draft(CONVERSATION)).toMatchObject({ value: { tool: 'gh', is_pushed: false, title: 'Fix it' } });
  expect(await open(REQUEST)).toMatchObject({ error: { message: expect.stringContaining('push codex/fix first') } });
  pushed();
  const run = await finish(await open(REQUEST));
  expect(run).toMatchObject({ state: 'done', done: { url: 'https://github.com/o/r/pull/7' } });
  expect(run.output).toContain('for codex/fix into main');
  expect(readFileSync(join(dir, 'body.txt'), 'utf8')).toBe(REQUEST.body);
  const said = log();
  expect(said).toContain(
    'pr create --repo github.com/o/r --head codex/fix --base main --title Fix "it" $(now) --body-file - --draft',
  );
  expect(said).not.toContain('s3cret');
  expect(said).not.toContain(`|${root}|`);
  expect(await finish(await open({ ...REQUEST, title: 'taken' }))).toMatchObject({
    failure: { message: expect.stringContaining('already exists') },
  });
});

test('[CH148] glab opens the request of a host that it is logged in to', async () => {
  const { open, finish, pushed, log } = await openStand('ssh://git@gitlab.example.com:22/g/r.git');
  pushed();
  expect(await finish(await open({ ...REQUEST, is_draft: false }))).toMatchObject({
    done: { url: 'https://gitlab.example.com/g/r/-/merge_requests/3' },
  });
  expect(log()).toContain(
    'mr create --repo https://gitlab.example.com/g/r --source-branch codex/fix --target-branch main',
  );
});

test('[CH148] a host that no tool is logged in to gets the page instead', async () => {
  const { open, ship, pushed, log } = await openStand('git@github.example.com:o/r.git');
  pushed();
  const compare = 'https://github.example.com/o/r/compare/main...codex/fix?expand=1';
  expect(await ship.draft(CONVERSATION)).toMatchObject({ value: { tool: null, compare_url: compare } });
  expect(await open(REQUEST)).toMatchObject({ error: { code: 'conflict', details: { compare_url: compare } } });
  expect(log()).not.toContain('create');
  expect(await open({ ...REQUEST, base: '--repo=x/y' })).toMatchObject({ error: { code: 'invalid_request' } });
});

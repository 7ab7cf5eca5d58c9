/** What git would convert between the disk and its objects, and the conversions that need no program: line ends, `ident`, encodings. */
import { fail, ok, type Result } from '../../contract/result.ts';
import { parseAttributes, splitNul } from '../../core/changes/parse-git.ts';
import { pathText } from '../../core/changes/path-text.ts';
import type { Git } from '../../node/git.ts';
import type { OwnGitDir, WorkTree } from './repository.ts';
import { gitFailure } from './snapshot.ts';
import { inView, type ViewMaker } from './view.ts';

/** `filter.<name>` of every filter that is configured: for saying why a file is refused. None of them runs in a view. */
async function filterDrivers(git: Git, root: string): Promise<Result<readonly string[]>> {
  const args = ['config', '-z', '--name-only', '--get-regexp', '^filter\\.'];
  const answer = await git({ cwd: root, args, timeoutMs: 10_000 });
  // 1: no filter is configured.
  if (answer.kind !== 'ended' || answer.code > 1) return gitFailure('config', answer);
  const names = splitNul(answer.stdout).map((name) => Buffer.from(name).toString('utf8'));
  return ok([...new Set(names.map((name) => name.replace(/\.[^.]*$/, '')))]);
}

const NUL = Buffer.from([0]);

export interface Conversion {
  /** Line ends, `ident` or an encoding may be converted. */
  readonly isConverted: boolean;
  /** A configured program converts the file; it never runs here. */
  readonly filter: string | null;
}

/** By the text of the path. */
export async function readConversions(
  repo: ViewMaker,
  tree: WorkTree,
  paths: readonly Uint8Array[],
): Promise<Result<(path: string) => Conversion>> {
  const args = ['check-attr', '-z', '--stdin', '-a'];
  const stdin = Buffer.concat(paths.flatMap((path) => [path, NUL]));
  const [answer, drivers, all] = await Promise.all([
    repo.git({ cwd: tree.root, args, stdin }),
    filterDrivers(repo.git, tree.root),
    repo.git({ cwd: tree.root, args: ['config', '--get', 'core.autocrlf'] }),
  ]);
  if (!drivers.ok) return drivers;
  if (answer.kind !== 'ended' || answer.code !== 0) return gitFailure('check-attr', answer);
  const isAll = all.kind === 'ended' && /^(true|input|1|yes|on)$/i.test(all.stdout.toString().trim());
  const attributes = parseAttributes(answer.stdout);
  return ok((path) => {
    const { isConverted, filter } = attributes.get(path) ?? { isConverted: false, filter: null };
    const hasDriver = filter !== null && drivers.value.includes(`filter.${filter}`);
    return { isConverted: isConverted || isAll, filter: hasDriver ? filter : null };
  });
}

/** A message for the person; null if no program converts any of the files. */
export function refuseFiltered(paths: readonly Uint8Array[], of: (path: string) => Conversion): Result<null> {
  for (const bytes of paths) {
    const path = pathText(bytes);
    const { filter } = of(path);
    if (filter !== null)
      return fail(
        'conflict',
        `${path} goes through the filter "${filter}", a program that Signalbox does not run: stage or discard it with git in a terminal`,
        { files: [path], filter },
      );
  }
  return ok(null);
}

/** What git would store for this content of the disk. */
export async function toGit(
  repo: ViewMaker,
  tree: WorkTree,
  path: string,
  content: Uint8Array,
): Promise<Result<string>> {
  const answer = await inView(repo, tree, {
    args: ['hash-object', '-w', '--stdin', `--path=${path}`],
    stdin: content,
  });
  return answer.kind === 'ended' && answer.code === 0
    ? ok(answer.stdout.toString().trim())
    : gitFailure('hash-object', answer);
}

/** What git would write to the disk for an object, stored as an object of its own. */
export async function toDisk(
  repo: ViewMaker,
  tree: WorkTree,
  own: OwnGitDir,
  path: string,
  oid: string,
): Promise<Result<string>> {
  const answer = await inView(repo, tree, {
    args: ['cat-file', '--filters', `--path=${path}`, oid],
  });
  if (answer.kind !== 'ended' || answer.code !== 0) return gitFailure('cat-file', answer);
  return storeExact(own, answer.stdout);
}

/** Stores bytes as they are. */
export async function storeExact(own: OwnGitDir, content: Uint8Array): Promise<Result<string>> {
  const answer = await own.run({ args: ['hash-object', '-w', '--no-filters', '--stdin'], stdin: content });
  return answer.kind === 'ended' && answer.code === 0
    ? ok(answer.stdout.toString().trim())
    : gitFailure('hash-object', answer);
}

/**
 * Which settings of a repository could make git run a program, or lead it to another place. Settings that are known to do neither are listed;
 * every other one counts, so a setting that a later git invents is asked about instead of trusted. Pure.
 */
import { parseRemoteUrl, withoutCredentials } from './remote-url.ts';

export interface ConfigEntry {
  readonly scope: string;
  /** Such as `file:.git/config`; a relative path begins where git was started. */
  readonly origin: string;
  /** As git prints it: section and name in small letters. */
  readonly key: string;
  readonly value: string;
}

/** Output of `git config --list --show-scope --show-origin -z`. Entries without a value, such as `[core] bare`, have an empty one. */
export function parseConfig(output: Uint8Array): ConfigEntry[] {
  const fields = new TextDecoder('utf-8').decode(output).split('\0');
  const entries: ConfigEntry[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const line = fields[at + 2] ?? '';
    const end = line.indexOf('\n');
    const key = end < 0 ? line : line.slice(0, end);
    const [scope = '', origin = ''] = fields.slice(at, at + 2);
    entries.push({ scope, origin, key, value: end < 0 ? '' : line.slice(end + 1) });
  }
  return entries;
}

const isOfRepository = ({ scope }: ConfigEntry): boolean => scope === 'local' || scope === 'worktree';

/**
 * Settings that neither name a program nor a place. An alias is none of them: where a helper such as `git remote-x` is not installed, git runs
 * the alias of that name. The format of a rebase's instructions is one because every action sets its own.
 */
const HARMLESS: readonly RegExp[] = [
  /^core\.(abbrev|attributesfile|autocrlf|bare|bigfilethreshold|checkstat|commentchar|commentstring|commitgraph|compression|createobject|deltabasecachelimit|eol|excludesfile|filemode|hidedotfiles|ignorecase|ignorestat|logallrefupdates|longpaths|loosecompression|multipackindex|notesref|packedgitlimit|packedgitwindowsize|precomposeunicode|preloadindex|protecthfs|protectntfs|quotepath|repositoryformatversion|safecrlf|sharedrepository|sparsecheckout|sparsecheckoutcone|splitindex|symlinks|trustctime|untrackedcache|usereplacerefs|whitespace|worktree|editor|pager|fsmonitor|askpass)$/,
  /^user\.(name|email|signingkey|useconfigonly)$/,
  /^(author|committer)\.(name|email)$/,
  /^remote\..+\.(fetch|push|mirror|tagopt|prune|prunetags|skipdefaultupdate|skipfetchall|promisor|partialclonefilter|gh-resolved|followremotehead|url|pushurl)$/,
  /^remote\.(pushdefault|default)$/,
  /^branch\..+\.(merge|rebase|description|remote|pushremote|vscode-merge-base|gh-merge-base)$/,
  /^branch\.(sort|autosetupmerge|autosetuprebase)$/,
  /^submodule\..+\.(url|active|path|branch|ignore|fetchrecursesubmodules|shallow)$/,
  /^submodule\.(active|recurse|fetchjobs)$/,
  /^(advice|apply|blame|branch|checkout|clone|color|column|commitgraph|difftool|feature|format|gc|grep|gui|help|i18n|index|init|log|maintenance|man|merges|mergetool|notes|pull|push|rebase|receive|rerere|revert|showbranch|stash|status|tag|transfer|versionsort|web)\.[^.]+$/,
  /^color\./,
  /^(difftool|mergetool)\..+$/,
  /^diff\.(algorithm|autorefreshindex|colormoved|colormovedws|context|dirstat|ignoresubmodules|indentheuristic|interhunkcontext|mnemonicprefix|noprefix|orderfile|relative|renamelimit|renames|statgraphwidth|submodule|suppressblankempty|wordregex|wserrorhighlight)$/,
  /^merge\.(autostash|branchdesc|conflictstyle|defaulttoupstream|directoryrenames|ff|log|renamelimit|renames|renormalize|stat|verbosity|verifysignatures)$/,
  /^commit\.(cleanup|gpgsign|status|template|verbose)$/,
  /^gpg\.(format|mintrustlevel)$/,
  /^gpg\.ssh\.(allowedsignersfile|revocationfile)$/,
  /^fetch\.(all|fsckobjects|negotiationalgorithm|output|parallel|prune|prunetags|recursesubmodules|showforcedupdates|unpacklimit|writecommitgraph)$/,
  /^extensions\.(compatobjectformat|noop|objectformat|partialclone|preciousobjects|refstorage|relativeworktrees|worktreeconfig)$/,
  /^pack\.(allowpackreuse|compression|deltacachesize|depth|indexversion|packsizelimit|threads|usesparse|window|windowmemory|writebitmaphashcache)$/,
  /^http\.(postbuffer|lowspeedlimit|lowspeedtime|maxrequests|version)$/,
  /^credential\.(.+\.)?username$/,
  /^lfs\.repositoryformatversion$/,
  /^lfs\..+\.(access|locksverify)$/,
];

/**
 * The settings of the repository itself that count, each with a value that may be shown. `where`: git does not hand on to submodules the
 * settings by which actions turn a file system monitor off.
 */
export function findSettings(
  entries: readonly ConfigEntry[],
  where: 'repository' | 'submodule' = 'repository',
): { readonly key: string; readonly value: string }[] {
  const isPinned = ({ key }: ConfigEntry) => where === 'repository' || key !== 'core.fsmonitor';
  return entries
    .filter((entry) => isOfRepository(entry) && !(isHarmless(entry) && isPinned(entry)))
    .map(({ key, value }) => ({
      key: withoutCredentials(key),
      value: SECRET.test(key) ? '(not shown)' : withoutCredentials(value),
    }));
}

/** A header that a build server set has its token. Programs are shown, since a person decides about them. */
const SECRET = /\.[^.]*(extraheader|password|token|secret|cookie)[^.]*$/i;

function isHarmless({ key, value }: ConfigEntry): boolean {
  // A branch can name an address or a folder instead of a remote.
  if (/^branch\..+\.(remote|pushremote)$|^remote\.(pushdefault|default)$/.test(key) && !/^[\w.][\w.-]*$/.test(value))
    return false;
  // An address that is neither a host nor a path names a helper; an empty one makes git look for it elsewhere.
  if (/^remote\..+\.(url|pushurl)$/s.test(key) && parseRemoteUrl(value).kind === 'other') return false;
  // A pull writes where this leads, and prunes there.
  if (/^remote\..+\.fetch$/s.test(key) && !/^[^:]*(?::|:refs\/(?:remotes|tags)\/[^:]+)?$/.test(value)) return false;
  // The parts of a key behind the last point are in small letters; the middle part keeps its spelling.
  const known = key.replace(/^[^.]+|[^.]+$/g, (part) => part.toLowerCase());
  return HARMLESS.some((pattern) => pattern.test(known));
}

/** Addresses of remotes that lie on this disk. A push runs hooks there. */
export function findLocalRemotes(entries: readonly ConfigEntry[]): { readonly name: string; readonly path: string }[] {
  return entries.flatMap((entry) => {
    const name = /^remote\.(.+)\.(?:url|pushurl)$/.exec(entry.key)?.[1];
    const remote = name === undefined || !isOfRepository(entry) ? null : parseRemoteUrl(entry.value);
    return name !== undefined && remote?.kind === 'path' ? [{ name, path: remote.path }] : [];
  });
}

/** The last value wins; what the command itself sets is not looked at. */
export function lastOf(entries: readonly ConfigEntry[], key: string): ConfigEntry | null {
  return entries.findLast((entry) => entry.key === key && entry.scope !== 'command') ?? null;
}

/** Scripts that git looks for in the folder of hooks. Others there are read for changes only. */
export const HOOK_NAMES: ReadonlySet<string> = new Set([
  'applypatch-msg',
  'commit-msg',
  'fsmonitor-watchman',
  'post-applypatch',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-rewrite',
  'pre-applypatch',
  'pre-auto-gc',
  'pre-commit',
  'pre-merge-commit',
  'pre-push',
  'pre-rebase',
  'prepare-commit-msg',
  'push-to-checkout',
  'reference-transaction',
]);

/** Addresses of remotes: what they name, how they are shown, and the page on which a host compares two branches. Pure. */
import { trimEndOf } from '../text/trim-end.ts';

export type RemoteAddress =
  | { readonly kind: 'host'; readonly host: string; readonly path: string }
  | { readonly kind: 'path'; readonly path: string }
  /** A helper such as `ext::…`, or nothing that git knows. */
  | { readonly kind: 'other' };

/**
 * The forms of `git help fetch`, told apart exactly as git does: an address with a scheme, `host:path` for ssh, or a path. What git would take
 * for a path must never pass for a host, since a push runs the hooks of a repository on this disk.
 */
export function parseRemoteUrl(url: string): RemoteAddress {
  if (url === '' || url !== url.trim() || /^[\w+.-]*::/.test(url)) return { kind: 'other' };
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(url);
  if (scheme !== null) {
    const [, name = '', rest = ''] = scheme;
    // Git takes what stands before the first slash for a folder.
    if (name === 'file') return { kind: 'path', path: decode(rest.startsWith('/') ? rest : `/${rest}`) };
    if (!/^(https?|ssh|git|git\+ssh|ssh\+git)$/.test(name)) return { kind: 'other' };
    const slash = rest.indexOf('/');
    if (slash < 0) return { kind: 'other' };
    // A password may have an @ itself, so the last one ends it.
    const authority = rest.slice(rest.lastIndexOf('@', slash) + 1, slash);
    const host = /^(\[[^\]]+\]|[^:]+)(?::\d+)?$/.exec(authority)?.[1] ?? '';
    const path = repositoryPath(rest.slice(slash + 1));
    return host === '' ? { kind: 'other' } : { kind: 'host', host: host.toLowerCase(), path };
  }
  const [colon, slash] = [url.indexOf(':'), url.indexOf('/')];
  if (colon < 0 || (slash >= 0 && slash < colon)) {
    // Of `[a/b]:path` git keeps what stands behind the bracket.
    return url.startsWith('[') ? { kind: 'other' } : { kind: 'path', path: url };
  }
  const short = /^(?:[^@/:]+@)?(\[[^\]/]+\]|[^/:]+):(.+)$/s.exec(url);
  if (short === null) return { kind: 'other' };
  const [, host = '', path = ''] = short;
  return { kind: 'host', host: host.toLowerCase(), path: repositoryPath(path) };
}

const repositoryPath = (path: string): string => trimEndOf(path.replace(/^\/+/, ''), '/').replace(/\.git$/, '');

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Any text with the user names and passwords of its addresses removed. The user name of ssh, which is no secret, stays in `git@host:path`. */
export function withoutCredentials(text: string): string {
  return text.replace(/:\/\/[^\s/]*@/g, '://').replace(/([?&](?:access_|private_)?token=)[^&\s]+/gi, '$1…');
}

/** What kind of pages a host has, by its name. Null: not known. */
type HostKind = 'github' | 'gitlab' | 'bitbucket' | 'gitea';

export function hostKind(host: string): HostKind | null {
  const labels = host.split('.');
  if (labels.includes('github') || host.endsWith('.ghe.com')) return 'github';
  if (labels.includes('gitlab')) return 'gitlab';
  if (labels.includes('bitbucket')) return 'bitbucket';
  if (host === 'codeberg.org' || labels.includes('gitea') || labels.includes('forgejo')) return 'gitea';
  return null;
}

/** The page on which a person opens a pull request from `branch` into `base`. Null where the host is not known. */
export function compareUrl(remote: RemoteAddress, base: string, branch: string): string | null {
  if (remote.kind !== 'host') return null;
  const kind = hostKind(remote.host);
  const parts = remote.path.split('/').map(encodeURIComponent).join('/');
  // Some hosts give ssh a host of its own.
  const host = remote.host.replace(/^(ssh|altssh)\.(?=(github|gitlab|bitbucket)\.)/, '');
  if (kind === null || parts === '' || !/^[a-z0-9.-]+$|^\[[0-9a-f:]+\]$/.test(host)) return null;
  const [into, from] = [encodeURIComponent(base), encodeURIComponent(branch)];
  const root = `https://${host}/${parts}`;
  switch (kind) {
    case 'github':
      return `${root}/compare/${slashes(into)}...${slashes(from)}?expand=1`;
    case 'gitlab':
      return `${root}/-/merge_requests/new?merge_request%5Bsource_branch%5D=${from}&merge_request%5Btarget_branch%5D=${into}`;
    case 'bitbucket':
      return `${root}/pull-requests/new?source=${from}&dest=${into}`;
    case 'gitea':
      return `${root}/compare/${slashes(into)}...${slashes(from)}`;
    default:
      return kind satisfies never;
  }
}

const slashes = (text: string): string => text.replaceAll('%2F', '/');

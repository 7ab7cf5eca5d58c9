/** What a sandboxed command may not reach, as permission profiles. */
import { expect, test } from 'vitest';
import { NO_WORKSPACE_WRITE, profilesConfig, readWorkspaceWrite } from './permission-profiles.ts';

const PATHS = { home: '/u/.local/share/signalbox', codexHome: '/u/.codex', configDir: '/u/.config/signalbox' };
/** What every profile says, whatever the home. */
const KEPT = { '/u/.codex': 'read', '/u/.config/signalbox': 'read' };
/** Denied to a sandbox with network: the event tokens of every conversation. */
const SESSIONS = { '/u/.codex/sessions': 'deny' };
const online = readWorkspaceWrite({ config: { sandbox_workspace_write: { network_access: true } } });
const filesystemOf = (paths: typeof PATHS, cwd: string, own = NO_WORKSPACE_WRITE) =>
  Object(profilesConfig(paths, cwd, own).permissions)['signalbox-workspace-write'].filesystem;

test('[AG4] both homes and the folder of config.toml are read-only, and the server’s is denied to a sandbox with network; also in a directory that contains both', () => {
  for (const cwd of ['/u/project', '/u']) {
    expect(filesystemOf(PATHS, cwd)).toEqual({ ...KEPT, [PATHS.home]: 'read' });
    expect(filesystemOf(PATHS, cwd, online)).toEqual({ ...KEPT, ...SESSIONS, [PATHS.home]: 'deny' });
    expect(profilesConfig(PATHS, cwd, online)).toMatchObject({
      permissions: {
        'signalbox-read-only': { extends: ':read-only', network: { enabled: false } },
        'signalbox-workspace-write': { extends: ':workspace', network: { enabled: true } },
      },
    });
  }
});

test('[AG4] where the work or Codex’s home lies in the home, its authority is protected', () => {
  const within = `${PATHS.home}/work`;
  expect(filesystemOf(PATHS, within)).toEqual({ ...KEPT, [`${PATHS.home}/run`]: 'read' });
  expect(filesystemOf(PATHS, within, online)).toEqual({ ...KEPT, ...SESSIONS, [`${PATHS.home}/run`]: 'deny' });
  const inside = filesystemOf({ ...PATHS, home: '/h', codexHome: '/h/codex' }, '/u', online);
  expect(inside).toEqual({
    '/h': 'read',
    '/h/run': 'deny',
    '/h/codex': 'read',
    '/h/codex/sessions': 'deny',
    [PATHS.configDir]: 'read',
  });
  expect(filesystemOf({ ...PATHS, home: '/h', codexHome: '/h2/codex' }, '/h2', online)).toMatchObject({ '/h': 'deny' });
});

test('[AG13] with network the sessions of Codex are denied, unless the work lies in them', () => {
  expect(filesystemOf(PATHS, '/u/.codex/sessions/x', online)).toEqual({ ...KEPT, [PATHS.home]: 'deny' });
  expect(filesystemOf(PATHS, '/u/.codex', online)).toMatchObject(SESSIONS);
});

test('[AG4] what the user’s config adds to the sandbox is kept, and cannot open what is denied', () => {
  const answer = {
    config: {
      sandbox_workspace_write: {
        network_access: true,
        writable_roots: ['/data', PATHS.home],
        exclude_slash_tmp: true,
        exclude_tmpdir_env_var: true,
      },
    },
  };
  const { permissions } = profilesConfig(PATHS, '/u/project', readWorkspaceWrite(answer));
  expect(permissions).toMatchObject({
    'signalbox-workspace-write': {
      network: { enabled: true },
      filesystem: { '/data': 'write', [PATHS.home]: 'deny', ':slash_tmp': 'read', ':tmpdir': 'read' },
    },
    'signalbox-read-only': { network: { enabled: false } },
  });
  for (const odd of [null, {}, { config: null }, { config: { sandbox_workspace_write: { writable_roots: 7 } } }]) {
    expect(readWorkspaceWrite(odd)).toEqual(NO_WORKSPACE_WRITE);
  }
});

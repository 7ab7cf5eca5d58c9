/** Route id → service call, for Framework Shells. No logic but who may touch what Signalbox itself runs on. */
import { isAbsolute } from 'node:path';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { SHELL_ROUTES } from '../../contract/routes-shells.ts';
import type { ShellView } from '../../contract/shellspec.ts';
import { isInfrastructure } from '../../core/shells/rows.ts';
import type { Caller } from '../caller.ts';
import { openInside } from '../files/open-inside.ts';
import { readProjectSpecs } from '../shells/project-specs.ts';
import type { Shells } from '../shells/shells.ts';
import type { HandlersFor, Services } from './services.ts';

export function shellHandlers({ shells: lazy, registry, ownFolders }: Services): HandlersFor<typeof SHELL_ROUTES> {
  const using = async <T>(perform: (shells: Shells) => Promise<Result<T>>): Promise<Result<T>> => {
    const shells = await lazy.open();
    return shells.ok ? perform(shells.value) : shells;
  };
  /** A token lies in a file that an agent may read; with it nobody ends Codex or the terminals. */
  const touching = <T>(
    id: string,
    caller: Caller,
    perform: (shells: Shells) => Promise<Result<T>>,
  ): Promise<Result<T>> =>
    using((shells) => {
      const shell = shells.find(id);
      const isOurs = shell !== undefined && isInfrastructure(shell.record().spec.labels);
      if (!isOurs || caller.kind === 'session') return perform(shells);
      return Promise.resolve(fail('forbidden', `${id} is a part of Signalbox itself: use the page`));
    });
  const shown = async (answer: Promise<Result<ShellView>>) => {
    const shell = await answer;
    return shell.ok ? ok({ shell: shell.value }) : shell;
  };
  return {
    listShells: (query) => using(async (shells) => ok({ shells: await shells.list(query) })),
    upShells: ({ file, cwd, ...request }) =>
      using(async (shells) => {
        if (!isAbsolute(file))
          return fail('invalid_request', 'body: file: expected an absolute path', { field: 'file' });
        const up = await shells.up({ ...request, file, cwd });
        if (!up.ok) return up;
        const views = up.value.map(async ({ shell, isStarted }) => ({
          ...(await shells.view(shell)),
          is_started: isStarted,
        }));
        return ok({ shells: await Promise.all(views) });
      }),
    async projectShells({ id }) {
      const opened = await registry.open(id);
      if (!opened.ok) return opened;
      const directory = opened.value.meta().cwd;
      const open = async (named: string) => {
        const file = await openInside({ directory, closed: ownFolders }, named);
        if (!file.ok) return file;
        const { handle, path } = file.value;
        const { size, mode } = await handle.stat();
        return ok({ path, size, mode, text: () => handle.readFile('utf8'), close: () => handle.close() });
      };
      return ok({ files: await readProjectSpecs({ directory, open }) });
    },
    readShell: ({ id }) => using((shells) => shown(shells.read(id))),
    shellLogs: ({ id, ...from }) => using((shells) => shells.logs(id, from)),
    searchShellLogs: ({ id, q, limit }) => using((shells) => shells.search(id, q, limit)),
    stopShell: ({ id }, caller) => touching(id, caller, (shells) => shown(shells.stop(id))),
    restartShell: ({ id }, caller) => touching(id, caller, (shells) => shown(shells.restart(id))),
    inputShell: ({ id, data }) =>
      using(async (shells) => {
        const written = shells.input(id, data);
        return written.ok ? ok({ ok: true }) : written;
      }),
    purgeShell: ({ id }, caller) =>
      touching(id, caller, async (shells) => {
        const purged = await shells.purge(id);
        return purged.ok ? ok({ purged: purged.value }) : purged;
      }),
    purgeShells: () =>
      using(async (shells) => {
        const purged = await shells.purge();
        return purged.ok ? ok({ purged: purged.value }) : purged;
      }),
  };
}

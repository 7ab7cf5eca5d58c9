/** A repository with a person's identity, a bare remote on this disk and the parts that ship its work. For tests only. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Result } from '../contract/result.ts';
import type { ShipRun } from '../contract/ship.ts';
import { systemClock } from '../node/clock.ts';
import { createRunAsPerson } from '../node/person-program.ts';
import { createShip } from '../server/changes/ship.ts';
import type { OpenedRequest } from '../server/changes/ship-request.ts';
import { CONVERSATION, openChangesStand } from './changes-stand.ts';

export async function openShipStand(options: { readonly env?: NodeJS.ProcessEnv; readonly isEmpty?: boolean } = {}) {
  const stand = await openChangesStand({ isEmpty: options.isEmpty === true });
  const { dir, root, git, ownGit } = stand;
  writeFileSync(join(dir, '.gitconfig'), '[user]\n\tname = Person\n\temail = person@example.com\n');
  const decisions = new Map<string, string>();
  const busy = new Set<string>();
  const openedRequests: OpenedRequest[] = [];
  const words = { answer: null as string | null, label: null as string | null, plan: [] };
  const env = {
    ...process.env,
    HOME: dir,
    GIT_CONFIG_NOSYSTEM: '1',
    PATH: `${join(dir, 'bin')}:${process.env.PATH}`,
    ...options.env,
  };
  const ship = createShip({
    git: ownGit,
    folder: stand.folder,
    runAsPerson: createRunAsPerson(env),
    keep: (cwd, message) =>
      stand.parts().trees.use(cwd, async (open) => {
        const read = await open.read();
        const commit = read.ok ? await open.commit(read.value, message) : read;
        return commit.ok ? { ok: true, value: commit.value.commit } : commit;
      }),
    ownFolders: [],
    cwdOf: (id) => (id === CONVERSATION ? root : null),
    conversations: () => [{ id: CONVERSATION, cwd: root }],
    isBusy: (id) => busy.has(id),
    trust: {
      isTrusted: (path, hash) => decisions.get(path) === hash,
      async trust(path, hash) {
        decisions.set(path, hash);
        return { ok: true, value: null };
      },
    },
    wordsOf: async () => words,
    onRequest: (_id, opened) => openedRequests.push(opened),
    onFiles: () => undefined,
    now: Date.now,
    clock: systemClock,
  });
  onTestFinished(() => ship.close());

  const seen = async (): Promise<string> => {
    const programs = await ship.programs(CONVERSATION);
    if (!programs.ok) throw new Error(programs.error.message);
    return programs.value.hash;
  };
  /** Follows a run to its end. */
  const finish = async (started: Result<ShipRun>): Promise<ShipRun> => {
    if (!started.ok) throw new Error(`${started.error.code}: ${started.error.message}`);
    let run = started.value;
    while (run.state === 'running') {
      const next = await ship.run(CONVERSATION, run.version, new AbortController().signal);
      if (!next.ok || next.value === null) throw new Error('the run is gone');
      run = next.value;
    }
    return run;
  };
  return {
    ...stand,
    ship,
    busy,
    words,
    seen,
    finish,
    async trustAll(): Promise<void> {
      const done = await ship.trust(CONVERSATION, await seen());
      if (!done.ok) throw new Error(done.error.message);
    },
    hook(name: string, script: string): void {
      const path = join(root, '.git/hooks', name);
      mkdirSync(join(root, '.git/hooks'), { recursive: true });
      writeFileSync(path, `#!/bin/sh\n${script}\n`);
      chmodSync(path, 0o755);
    },
    /** A bare repository beside this one, as `origin`, with `main` pushed to it. */
    addRemote(): string {
      const bare = join(dir, 'remote.git');
      git(['init', '-q', '--bare', '-b', 'main', bare], dir);
      git(['remote', 'add', 'origin', bare]);
      git(['push', '-q', '-u', 'origin', 'main']);
      git(['remote', 'set-head', 'origin', 'main']);
      return bare;
    },
    /** Somebody else's clone, which pushes a commit. */
    pushFromElsewhere(path: string, text: string): void {
      const other = join(dir, `other-${Math.random().toString(36).slice(2)}`);
      git(['clone', '-q', join(dir, 'remote.git'), other], dir);
      writeFileSync(join(other, path), text);
      git(['add', '-A'], other);
      git(['commit', '-q', '-m', `elsewhere ${path}`], other);
      git(['push', '-q', 'origin', 'HEAD:main'], other);
    },
    commit: async (request: Partial<Parameters<typeof ship.commit>[1]>) =>
      ship.commit(
        CONVERSATION,
        { message: 'message', what: 'staged', paths: [], amend: false, ...request },
        await seen(),
      ),
    branch: async (name: string, from?: string) => ship.branch(CONVERSATION, { name, from }, await seen()),
    switch: async (branch: string, overwrite = false) => ship.switch(CONVERSATION, { branch, overwrite }, await seen()),
    pull: async (mode: 'ff' | 'merge' | 'rebase' = 'ff') => ship.pull(CONVERSATION, mode, await seen()),
    push: async (force_with_lease = false) => ship.push(CONVERSATION, { force_with_lease }, await seen()),
  };
}

/** Queue adapters as shells: started from `shellspec/adapters.yaml`, one for each entry, and kept alive by Framework Shells. */
import { resolve } from 'node:path';
import type { Logger } from '../../node/logger.ts';
import type { AdapterGrant } from '../events/adapters.ts';
import type { LazyShells } from '../shells/lazy-shells.ts';
import type { Shells } from '../shells/shells.ts';

/** Beside the bundled command, and beside the sources. */
const SPEC_FILE = resolve(import.meta.dirname, '../../shellspec/adapters.yaml');
const SHELL = 'adapter';
/** Of the bundled command. */
const PROGRAM = resolve(import.meta.dirname, 'signalbox.js');
const REF = `${SPEC_FILE}#${SHELL}@`;

/** Starts what is configured and ends what is not any more; Framework Shells are not even opened where neither is there. */
export async function startAdapters(options: {
  readonly lazy: LazyShells;
  readonly home: string;
  readonly grants: readonly AdapterGrant[];
  readonly log: Logger;
}): Promise<void> {
  const { grants, log } = options;
  if (grants.length === 0 && options.lazy.peek() === null) return;
  const shells = await options.lazy.open();
  if (!shells.ok) {
    log.error({ error: shells.error }, 'queue adapters cannot be started');
    return;
  }
  await endOthers(shells.value, new Set(grants.map(({ name }) => `${REF}${name}`)));
  for (const { name, entry } of grants) {
    const up = await shells.value.up({
      file: SPEC_FILE,
      shell: SHELL,
      name,
      cwd: options.home,
      ctx: { NODE: process.execPath, PROGRAM, TYPE: entry.type, NAME: name, HOME: options.home },
      isOwn: true,
    });
    if (!up.ok) log.error({ error: up.error, adapter: name }, 'a queue adapter was not started');
  }
}

async function endOthers(shells: Shells, refs: ReadonlySet<string>): Promise<void> {
  for (const { id } of await shells.list({ group: 'adapters' })) {
    const shell = shells.find(id);
    if (shell === undefined || !shell.record().ref.startsWith(REF) || refs.has(shell.record().ref)) continue;
    await shell.stop();
    await shells.purge(id);
  }
}

/** `meta/<id>.json`: what is known of each shell, written whole at every change. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ShellRecord } from '../../contract/shellspec.ts';
import { writeFileAtomic } from '../../node/atomic-file.ts';
import type { Logger } from '../../node/logger.ts';
import { readJson } from '../../node/read-json.ts';

export interface Records {
  load(): Promise<ShellRecord[]>;
  save(record: ShellRecord): Promise<void>;
  remove(id: string): Promise<void>;
}

export function createRecords(metaDir: string, log: Logger): Records {
  const pathOf = (id: string) => join(metaDir, `${id}.json`);
  return {
    async load() {
      const names = (await readdir(metaDir)).filter((name) => name.endsWith('.json')).sort();
      const records: ShellRecord[] = [];
      for (const name of names) {
        const record = await readJson(join(metaDir, name), ShellRecord);
        // Left where it is: somebody may want to know what was in it.
        if (record === null || `${record.id}.json` !== name)
          log.warn({ file: name }, 'the record of a shell cannot be read');
        else records.push(record);
      }
      return records;
    },
    save: (record) => writeFileAtomic(pathOf(record.id), `${JSON.stringify(record)}\n`),
    remove: (id) => rm(pathOf(id), { force: true }),
  };
}

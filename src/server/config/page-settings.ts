/** Keeps the settings of the page in `page.json`, sealed: who writes that file could make a request unreadable. */
import { join } from 'node:path';
import { PageSettings, type PageSettingsPatch } from '../../contract/page-settings.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { DEFAULT_PAGE } from '../../core/page/default-settings.ts';
import { refuseKeys } from '../../core/page/key-changes.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import type { Seals } from '../../node/seals.ts';
import { createSerial } from '../../node/serial.ts';
import { storageFailure } from '../storage-failure.ts';

export interface PageSettingsStore {
  current(): PageSettings;
  /** Absent fields stay as they are. */
  change(patch: PageSettingsPatch): Promise<Result<PageSettings>>;
}

const FILE = 'page.json';

export interface PageSettingsOptions {
  readonly home: string;
  readonly seals: Seals;
  onChange(settings: PageSettings): void;
}

export async function openPageSettings({ home, seals, onChange }: PageSettingsOptions): Promise<PageSettingsStore> {
  const path = join(home, FILE);
  const serial = createSerial();
  let settings = await readSettings(path, seals);

  async function change(patch: PageSettingsPatch): Promise<Result<PageSettings>> {
    const next = { ...settings, ...given(patch) };
    const problem = refuseKeys(next.keys);
    if (problem !== null) return fail('invalid_request', problem);
    try {
      await seals.write(FILE, path, JSON.stringify(next));
    } catch (error) {
      return storageFailure(error, 'the settings of the page were not saved');
    }
    settings = next;
    onChange(next);
    return ok(next);
  }
  return { current: () => settings, change: (patch) => serial.run(() => change(patch)) };
}

function given(patch: PageSettingsPatch): Partial<PageSettings> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}

/** A file of another version may lack a setting or have one more: what is known of it counts. */
async function readSettings(path: string, seals: Seals): Promise<PageSettings> {
  const text = await seals.read(FILE, path);
  const stored = PageSettings.partial()
    .strip()
    .safeParse(text === null ? {} : parseJson(text));
  return { ...DEFAULT_PAGE, ...given(stored.data ?? {}) };
}

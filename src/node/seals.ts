/**
 * Seals on files that decide about rights: an HMAC made with a key in `run/`, out of the reach of sandboxed commands. A file that somebody else
 * wrote does not verify, and neither does an older version of a file: each seal has a generation, and the newest one is kept beside the key.
 *
 * A file without a seal is adopted in one situation only, the first start of a version with seals: `seal.key` then has its key but not yet the
 * word that says the adoption is over. A key that is missing beside sealed files was removed, and then nothing is adopted.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../core/text/is-record.ts';
import { parseJson } from '../core/text/parse-json.ts';
import { writeFileAtomic } from './atomic-file.ts';
import { createSerial, type Serial } from './serial.ts';

export interface Seals {
  /** Reads a JSON object with a seal; null if the file is missing or does not verify. `adopts`: a file without a seal counts at the first start. */
  read(name: string, path: string, options?: { readonly adopts: boolean }): Promise<string | null>;
  /** Replaces the file; no older version of it verifies afterwards. */
  write(name: string, path: string, text: string): Promise<void>;
  /** For a part of a file that is written often: the caller keeps the seal in the file. */
  readonly parts: PartSeals;
  /** What has no seal from now on does not verify. Called once, when all files were read. */
  finishAdoption(): Promise<void>;
}

interface PartSeals {
  /** `isChanged`: what was sealed under this name before must not verify any more, once `settle` has resolved. */
  seal(name: string, part: unknown, isChanged: boolean): { readonly seal: string; settle(): Promise<void> };
  /** `seal` undefined: the part has none. */
  verify(name: string, part: unknown, seal: unknown): boolean;
  /** The name is no longer used. */
  forget(name: string): void;
}

interface State {
  /** A seal of an older generation does not verify. */
  readonly floor: number;
  readonly generations: Map<string, number>;
  /** Seals of what was adopted and has not been written since. */
  readonly adopted: Map<string, string>;
}

export interface SealsOptions {
  readonly runDir: string;
  /** Whether any file has a seal. Asked only when the key is missing. */
  hasSealedFiles(): Promise<boolean>;
  onRefused(name: string): void;
  /** The key is missing although files are sealed, or the newest generations are unknown. */
  onLost(what: 'seal.key' | 'seal.state'): void;
  onError(error: unknown): void;
  readonly now: () => number;
}

const KEY_BYTES = 32;
const KEY_FILE = /^([0-9a-f]{64})( adopted)?\n?$/;

export async function openSeals(options: SealsOptions): Promise<Seals> {
  const { runDir } = options;
  const [keyPath, statePath] = [join(runDir, 'seal.key'), join(runDir, 'seal.state')];
  const [, hex, adopted] = KEY_FILE.exec(await readFile(keyPath, 'utf8').catch(() => '')) ?? [];
  const storedState = await readFile(statePath, 'utf8').catch(() => null);
  const wasRemoved = hex === undefined && (storedState !== null || (await options.hasSealedFiles()));
  if (wasRemoved) options.onLost('seal.key');
  const key = hex === undefined ? randomBytes(KEY_BYTES) : Buffer.from(hex, 'hex');
  const isAdopting = !wasRemoved && adopted === undefined;
  const keyText = (isOver: boolean) => `${key.toString('hex')}${isOver ? ' adopted' : ''}\n`;
  // Before any file is sealed with it.
  if (hex === undefined) await writeFileAtomic(keyPath, keyText(wasRemoved));

  const mac = createMac(key);
  const known = storedState === null ? null : parseState(storedState, mac);
  const isUnknown = known === null && !isAdopting && !wasRemoved;
  if (isUnknown) options.onLost('seal.state');
  // Without the generations an older file could not be told from the newest one, so nothing of before this moment verifies.
  const state: State = known ?? { floor: isUnknown ? options.now() : 0, generations: new Map(), adopted: new Map() };
  const saving = createSerial();
  const save = () => saving.run(() => writeFileAtomic(statePath, renderState(state, mac)));
  if (isUnknown || wasRemoved) await save().catch(options.onError);
  return createSeals({
    state,
    mac,
    isAdopting,
    save,
    endAdoption: () => writeFileAtomic(keyPath, keyText(true)),
    ...options,
  });
}

type Mac = (name: string, generation: number, value: unknown) => Buffer;

/** Generation 0 is also the seal of a version that had no generations. */
const createMac =
  (key: Buffer): Mac =>
  (name, generation, value) =>
    createHmac('sha256', key)
      .update(`${name}\n${generation === 0 ? '' : `${generation}\n`}${JSON.stringify(value)}`)
      .digest();

function createSeals(
  options: Pick<SealsOptions, 'onRefused' | 'onError' | 'now'> & {
    readonly state: State;
    readonly mac: Mac;
    readonly isAdopting: boolean;
    readonly save: () => Promise<void>;
    readonly endAdoption: () => Promise<void>;
  },
): Seals {
  const { state, mac, save } = options;
  const { generations, adopted } = state;
  let { isAdopting } = options;
  /** The newest generation that was used for a seal, also if its file is not written yet. */
  const issued = new Map<string, number>();
  const writing = new Map<string, Serial>();

  const newest = (name: string) => generations.get(name) ?? state.floor;
  const sealOf = (name: string, generation: number, value: unknown): string => {
    const hex = mac(name, generation, value).toString('hex');
    return generation === 0 ? hex : `${generation}.${hex}`;
  };
  /** Time makes generations grow also after the file with the newest ones was lost. */
  const nextOf = (name: string): number => {
    const next = Math.max(newest(name) + 1, (issued.get(name) ?? 0) + 1, options.now());
    issued.set(name, next);
    return next;
  };
  const commit = async (name: string, generation: number): Promise<void> => {
    if (generation <= newest(name)) return;
    generations.set(name, generation);
    adopted.delete(name);
    // The sealed file is stored already; until the next save only the refusal of older ones is missing.
    await save().catch(options.onError);
  };
  const isGenuine = (name: string, value: unknown, seal: unknown): boolean => {
    if (typeof seal !== 'string') return false;
    const [, digits = '0', hex = ''] = /^(?:(\d{1,15})\.)?([0-9a-f]{64})$/.exec(seal) ?? [];
    const generation = Number(digits);
    if (hex === '' || generation < newest(name)) return false;
    if (!timingSafeEqual(Buffer.from(hex, 'hex'), mac(name, generation, value))) return false;
    // Killed between the file and its generation.
    if (generation > newest(name)) generations.set(name, generation);
    return true;
  };
  const isAdopted = (name: string, value: unknown): boolean => {
    if (isAdopting) adopted.set(name, sealOf(name, 0, value));
    return newest(name) === 0 && isGenuine(name, value, adopted.get(name));
  };

  return {
    async read(name, path, { adopts } = { adopts: false }) {
      const text = await readFile(path, 'utf8').catch(() => null);
      if (text === null) return null;
      const value = parseJson(text);
      if (isRecord(value)) {
        const { seal, ...rest } = value;
        if (seal === undefined ? adopts && isAdopted(name, rest) : isGenuine(name, rest, seal)) return text;
      }
      options.onRefused(name);
      return null;
    },
    write(name, path, text) {
      const value = parseJson(text);
      if (!isRecord(value)) throw new Error(`${name} is not a JSON object`);
      const { seal: _old, ...rest } = value;
      const serial = writing.get(name) ?? createSerial();
      writing.set(name, serial);
      return serial.run(async () => {
        const generation = nextOf(name);
        await writeFileAtomic(path, `${JSON.stringify({ ...rest, seal: sealOf(name, generation, rest) })}\n`);
        await commit(name, generation);
      });
    },
    parts: {
      seal(name, part, isChanged) {
        const generation = isChanged ? nextOf(name) : Math.max(newest(name), issued.get(name) ?? 0);
        return { seal: sealOf(name, generation, part), settle: () => commit(name, generation) };
      },
      verify: (name, part, seal) => (seal === undefined ? isAdopted(name, part) : isGenuine(name, part, seal)),
      forget(name) {
        generations.delete(name);
        issued.delete(name);
        adopted.delete(name);
      },
    },
    async finishAdoption() {
      if (!isAdopting) return;
      isAdopting = false;
      try {
        await save();
        await options.endAdoption();
      } catch (error) {
        // The next start adopts again.
        options.onError(error);
      }
    },
  };
}

const STATE_NAME = 'seal.state';

function renderState({ floor, generations, adopted }: State, mac: Mac): string {
  const value = { floor, generations: Object.fromEntries(generations), adopted: Object.fromEntries(adopted) };
  return `${JSON.stringify({ ...value, seal: mac(STATE_NAME, 0, value).toString('hex') })}\n`;
}

/** Null for a file that we did not write. */
function parseState(text: string, mac: Mac): State | null {
  const value = parseJson(text);
  if (!isRecord(value)) return null;
  const { seal, ...rest } = value;
  const shown = Buffer.from(typeof seal === 'string' ? seal : '', 'hex');
  const wanted = mac(STATE_NAME, 0, rest);
  if (shown.length !== wanted.length || !timingSafeEqual(shown, wanted)) return null;
  const { floor, generations, adopted } = rest;
  return {
    floor: Number(floor),
    generations: new Map(entriesOf(generations).map(([name, one]) => [name, Number(one)])),
    adopted: new Map(entriesOf(adopted).map(([name, one]) => [name, String(one)])),
  };
}

const entriesOf = (value: unknown): [string, unknown][] => (isRecord(value) ? Object.entries(value) : []);

/** Changes of keys: which are refused, and what a change takes from other acts. Pure. */
import { ACT_IDS, type ActId } from '../../contract/page-names.ts';
import { DEFAULT_KEYS, keysOf, type OwnKeys } from './key-bindings.ts';

/** Other acts with the same key. */
export function conflictsOf(id: ActId, own: OwnKeys): readonly ActId[] {
  const keys = keysOf(id, own);
  return keys === '' ? [] : ACT_IDS.filter((other) => other !== id && keysOf(other, own) === keys);
}

/** Who has a key already, so that no act can have it. */
export type KeyHolder = 'browser' | 'writing' | 'answers';

/** Keys that a browser keeps to itself, or that people expect it to. */
const BROWSER =
  'Ctrl W|Ctrl T|Ctrl N|Ctrl Shift W|Ctrl Shift T|Ctrl Shift N|Ctrl Tab|Ctrl Shift Tab|Ctrl L|Ctrl R|Ctrl Shift R|Ctrl F|F5|F11|F12';
/** Keys of the message box and of every other text. */
const WRITING =
  'Enter|Shift Enter|Ctrl Enter|Escape|Tab|Shift Tab|Backspace|Delete|Space|↑|↓|←|→|Ctrl A|Ctrl C|Ctrl V|Ctrl X|Ctrl Z|Ctrl Y|Ctrl Shift Z|Ctrl Shift C|Ctrl Shift V';
/** Keys that answer a request. */
const ANSWERS =
  'Y|A|N|E|Alt Y|Alt A|Alt N|Alt E|Shift Y|Shift A|Shift N|Shift E|Alt Shift Y|Alt Shift A|Alt Shift N|Alt Shift E';

export function holderOf(keys: string): KeyHolder | null {
  const isIn = (list: string) => list.split('|').includes(keys);
  if (isIn(BROWSER)) return 'browser';
  if (isIn(WRITING)) return 'writing';
  return isIn(ANSWERS) ? 'answers' : null;
}

/** Gives an act a key; acts that had the key have none afterwards. A key that is the default is no change. */
export function assignKeys(id: ActId, keys: string, own: OwnKeys): OwnKeys {
  const taken = keys === '' ? [] : ACT_IDS.filter((other) => other !== id && keysOf(other, own) === keys);
  const next = { ...own, [id]: keys, ...Object.fromEntries(taken.map((other) => [other, ''])) };
  return Object.fromEntries(Object.entries(next).filter(([other, value]) => DEFAULT_KEYS[other as ActId] !== value));
}

/** The acts that two keys, or a key of somebody else, make ambiguous; the first problem, in words. Null: none. */
export function refuseKeys(own: OwnKeys): string | null {
  for (const id of ACT_IDS) {
    const keys = keysOf(id, own);
    const holder = holderOf(keys);
    if (holder !== null) return `${keys} cannot be the key of "${id}": it belongs to ${HOLDERS[holder]}`;
    const [other] = conflictsOf(id, own);
    if (other !== undefined) return `${keys} is the key of both "${id}" and "${other}"`;
  }
  return null;
}

const HOLDERS: Readonly<Record<KeyHolder, string>> = {
  browser: 'the browser',
  writing: 'the message box',
  answers: 'the answers to a request',
};

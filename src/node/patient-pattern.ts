/** A regular expression of somebody else's: looked for with a limit, since some take longer than the machine will last. */
import { createContext, Script } from 'node:vm';

const TEST = new Script('pattern.test(text)');

/** Null: the text was not gone through in time. */
export function createPatientPattern(pattern: RegExp, maxMs: number): (text: string) => boolean | null {
  const place = { pattern, text: '' };
  const context = createContext(place);
  return (text) => {
    place.text = text;
    try {
      return TEST.runInContext(context, { timeout: maxMs }) === true;
    } catch {
      return null;
    }
  };
}

/** What the Codex that runs can do with an event besides hearing of it with the next message. */
import type { Capabilities } from './plan-delivery.ts';

/** The first version that takes steers and injected items. */
const OLDEST_MAJOR = 0;
const OLDEST_MINOR = 120;

/** A version nobody can tell is taken for a new one: a method it lacks is refused, and the event waits as for an old one. */
export function capabilitiesOf(version: string | null): Capabilities {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  const isNew =
    major === undefined ||
    Number(major) > OLDEST_MAJOR ||
    (Number(major) === OLDEST_MAJOR && Number(minor) >= OLDEST_MINOR);
  return { canSteer: isNew, canInject: isNew };
}

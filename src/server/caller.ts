/** Who asks, by credential; decided about in `core/access`. */
export type { Caller } from '../core/access/caller.ts';

/** Which events were here before, by source and id. Not by the two joined: in a flood joining them costs more than looking them up. Pure. */
import type { ExternalEventInput } from '../../contract/external-event.ts';

type Named = Pick<ExternalEventInput, 'source' | 'event_id'>;

/** What is left of an event that retention took away, and when it did. */
export interface GoneKey {
  readonly key: string;
  readonly at: number;
}

export class KnownEvents {
  readonly #sources = new Map<string, Map<string, number>>();
  /** Where the last one was found: in a flood the next one is there too. */
  #last: { readonly source: string; readonly ids: Map<string, number> } | null = null;
  /** By key: when retention took an event away. */
  readonly #gone = new Map<string, number>();

  /** Its place in the ledger; 0 when only the name is left. */
  seqOf(event: Named): number | undefined {
    return this.#idsOf(event.source.name)?.get(event.event_id);
  }

  add(event: Named, seq: number): void {
    this.#put(event.source.name, event.event_id, seq);
  }

  /** Every place of an event of this id, whatever its source. */
  seqsOf(eventId: string): number[] {
    return [...this.#sources.values()].flatMap((ids) => ids.get(eventId) ?? []).filter((seq) => seq > 0);
  }

  /** These places are empty now; only their names are left. */
  forget(seqs: ReadonlySet<number>, at: number): void {
    for (const [source, ids] of this.#sources)
      for (const [id, seq] of ids) {
        if (!seqs.has(seq)) continue;
        ids.set(id, 0);
        this.#gone.set(keyOf(source, id), at);
      }
  }

  /** One of the names that were kept when their events went. */
  recall(key: string, at: number): void {
    const [source, id] = splitKey(key);
    if (this.#idsOf(source)?.has(id) !== true) this.#put(source, id, 0);
    this.#gone.set(key, at);
  }

  /** Names whose events went since, the oldest first, and so many at most; all others are forgotten for good. */
  keepGone(since: number, atMost: number): GoneKey[] {
    let tooMany = this.#gone.size - atMost;
    for (const [key, at] of this.#gone) {
      if (at >= since && tooMany <= 0) continue;
      tooMany -= 1;
      this.#gone.delete(key);
      const [source, id] = splitKey(key);
      const ids = this.#idsOf(source);
      if (ids?.get(id) === 0) ids.delete(id);
    }
    return [...this.#gone].map(([key, at]) => ({ key, at }));
  }

  goneCount(): number {
    return this.#gone.size;
  }

  #idsOf(source: string): Map<string, number> | undefined {
    if (this.#last?.source === source) return this.#last.ids;
    const ids = this.#sources.get(source);
    if (ids !== undefined) this.#last = { source, ids };
    return ids;
  }

  #put(source: string, id: string, seq: number): void {
    const ids = this.#idsOf(source);
    if (ids === undefined) this.#sources.set(source, new Map([[id, seq]]));
    else ids.set(id, seq);
  }
}

/** Neither half can hold a newline. */
const keyOf = (source: string, id: string): string => `${source}\n${id}`;

function splitKey(key: string): [source: string, id: string] {
  const end = key.indexOf('\n');
  return [key.slice(0, end), key.slice(end + 1)];
}

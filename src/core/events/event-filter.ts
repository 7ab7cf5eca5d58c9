/** Which events somebody looks for among many: by how bad, from whom, and by words. Pure. */
import { type EventRecord, SEVERITIES, type Severity } from '../../contract/external-event.ts';

export interface EventFilter {
  readonly min_severity?: Severity | undefined;
  /** Exactly this name. */
  readonly source?: string | undefined;
  /** All of these words, in whatever order and wherever a list shows them. */
  readonly q?: string | undefined;
}

/** Null when it asks for nothing: then nobody has to look at the words of any. */
export function filterOf(filter: EventFilter): ((event: EventRecord) => boolean) | null {
  const { min_severity: least, source } = filter;
  const words = (filter.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  if (least === undefined && source === undefined && words.length === 0) return null;
  const floor = least === undefined ? 0 : SEVERITIES.indexOf(least);
  return (event) => {
    if (SEVERITIES.indexOf(event.severity) < floor) return false;
    if (source !== undefined && event.source.name !== source) return false;
    if (words.length === 0) return true;
    const { type, title, summary, event_id } = event;
    const text = [type, title, summary, event_id, event.source.name, event.source.run_id ?? '']
      .join('\n')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

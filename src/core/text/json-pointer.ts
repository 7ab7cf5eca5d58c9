/** JSON pointers (RFC 6901). Pure. */

/** What a pointer names in a parsed value; undefined if nothing is there. Looks at own properties only. */
export function atPointer(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  if (!pointer.startsWith('/')) return undefined;
  let found = value;
  for (const part of pointer.slice(1).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null) return undefined;
    if (Array.isArray(found) && !/^(?:0|[1-9]\d{0,9})$/.test(key)) return undefined;
    if (!Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}

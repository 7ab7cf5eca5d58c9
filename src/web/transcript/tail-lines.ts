/** The last lines of an output, without splitting all of it. */
export function tailLines(text: string, maxLines: number): { readonly tail: string; readonly total: number } {
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  if (body === '') return { tail: '', total: 0 };
  let total = 1;
  for (let at = body.indexOf('\n'); at >= 0; at = body.indexOf('\n', at + 1)) total += 1;
  if (total <= maxLines) return { tail: body, total };
  let from = body.length;
  for (let left = maxLines; left > 0; left--) from = body.lastIndexOf('\n', from - 1);
  return { tail: body.slice(from + 1), total };
}

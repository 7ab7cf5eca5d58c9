/** The places of a text in what is mounted, as ranges that the browser highlights without any change to the document. */

/** More are not told apart on a screen. */
const MAX_RANGES = 2_000;

/** The occurrences in one row, in order. A text that goes over several elements of one block is found; over two blocks it is not. */
export function rangesIn(row: Element, text: string): readonly Range[] {
  const nodes: Text[] = [];
  const starts: number[] = [];
  let whole = '';
  let block: Element | null = null;
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!(node instanceof Text)) continue;
    const own = node.parentElement?.closest('p, li, td, th, pre, div, figure, button, h2, h3, h4, h5, h6') ?? null;
    if (own !== block) whole += '\n\0';
    block = own;
    nodes.push(node);
    starts.push(whole.length);
    whole += node.data;
  }
  const folded = whole.toLowerCase();
  const sought = text.toLowerCase();
  // A few letters change their length with their case; then the places would be wrong.
  if (sought === '' || folded.length !== whole.length) return [];
  const ranges: Range[] = [];
  for (let at = folded.indexOf(sought); at >= 0; at = folded.indexOf(sought, at + sought.length)) {
    if (ranges.length >= MAX_RANGES) break;
    const range = document.createRange();
    const [first, last] = [indexAt(starts, at), indexAt(starts, at + sought.length - 1)];
    const [from, to] = [nodes[first], nodes[last]];
    if (from === undefined || to === undefined) continue;
    range.setStart(from, at - (starts[first] ?? 0));
    range.setEnd(to, at + sought.length - (starts[last] ?? 0));
    ranges.push(range);
  }
  return ranges;
}

/** The last start that is not behind `at`. */
function indexAt(starts: readonly number[], at: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

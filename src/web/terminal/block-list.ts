/** The commands of a terminal as a list: what arrives → the list; which is next; which match. Pure. */
import type { Block, BlockId } from '../../contract/terminal.ts';

/** Oldest first, dense enough to be searched by eye; older ones are asked of the server. */
export type BlockList = readonly Block[];

/** More marks than any scrollback shows. */
const MAX_BLOCKS = 1_000;

/** A block is told again as it changes; one that has ended never runs again, however late an older word of it comes. */
export function withBlock(list: BlockList, block: Block): BlockList {
  const at = list.findLastIndex((one) => one.seq <= block.seq);
  const known = list[at];
  if (known?.block_id === block.block_id) {
    if (known.status !== 'running' && block.status === 'running') return list;
    return list.with(at, block);
  }
  return list.toSpliced(at + 1, 0, block).slice(-MAX_BLOCKS);
}

export function withBlocks(list: BlockList, blocks: readonly Block[]): BlockList {
  return blocks.reduce(withBlock, list);
}

/** The neighbor to jump to; from nowhere, the last one backwards or the first one forwards. Only those that `isThere`. */
export function stepBlock(
  list: BlockList,
  from: BlockId | null,
  by: 1 | -1,
  isThere: (id: BlockId) => boolean,
): Block | null {
  const there = list.filter((one) => isThere(one.block_id));
  const at = there.findIndex((one) => one.block_id === from);
  if (at < 0) return (by === -1 ? there.at(-1) : there[0]) ?? null;
  return there[at + by] ?? null;
}

/** Every word occurs in the command or its directory. Newest first. */
export function searchBlocks(list: BlockList, query: string): readonly Block[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return list
    .filter((one) => {
      const text = `${one.cmd}\n${one.cwd}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toReversed();
}

export type BlockTone = 'running' | 'good' | 'bad' | 'plain';

export function toneOf(block: Pick<Block, 'status' | 'exit_code'>): BlockTone {
  if (block.status === 'running') return 'running';
  if (block.exit_code === null) return 'plain';
  return block.exit_code === 0 ? 'good' : 'bad';
}

export function durationOf(block: Pick<Block, 'ts_begin' | 'ts_end'>): number | null {
  return block.ts_end === null ? null : Math.max(0, block.ts_end - block.ts_begin);
}

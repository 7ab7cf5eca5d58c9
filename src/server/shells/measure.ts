/** CPU and memory of shells: all processes of each, from one look at the process table. */
import type { Usage } from '../../contract/shellspec.ts';
import type { Clock } from '../../node/clock.ts';
import { readListeningPorts } from '../../node/listening-ports.ts';
import { listOwnProcesses } from '../../node/process-list.ts';
import { membersOf, type Tree } from '../../node/process-tree.ts';

export interface Meter {
  /** Since the last look; a first look tells the average since the start. */
  measure(trees: ReadonlyMap<string, Measured>): ReadonlyMap<string, Usage>;
}

interface Measured {
  readonly tree: Tree;
  readonly aliveMs: number;
  /** A part of Signalbox itself: nobody opens its ports in a browser. */
  readonly isOurs: boolean;
}

interface Sample {
  readonly pid: number;
  readonly cpuMs: number;
  readonly atMs: number;
}

/** Two looks closer than this say nothing about use: the kernel counts in steps of 10 ms. */
const MIN_SPAN_MS = 500;

export function createMeter(clock: Clock): Meter {
  let samples = new Map<string, Sample>();
  let last: ReadonlyMap<string, Usage> = new Map();
  let lastAtMs = Number.NEGATIVE_INFINITY;
  return {
    measure(trees) {
      const atMs = clock.monotonicMs();
      const isKnown = [...trees.keys()].every((id) => last.has(id));
      if (atMs - lastAtMs < MIN_SPAN_MS && isKnown) return last;
      const all = trees.size === 0 ? [] : listOwnProcesses();
      const portsOf = [...trees.values()].every(({ isOurs }) => isOurs) ? () => [] : readListeningPorts();
      const next = new Map<string, Sample>();
      const usages = new Map<string, Usage>();
      for (const [id, { tree, aliveMs, isOurs }] of trees) {
        const members = membersOf({ ...tree, mark: null }, all);
        const cpuMs = members.reduce((sum, one) => sum + one.cpuMs, 0);
        const before = samples.get(id);
        const isSame = before !== undefined && before.pid === tree.root.pid && atMs > before.atMs;
        const share = isSame ? (cpuMs - before.cpuMs) / (atMs - before.atMs) : cpuMs / Math.max(1, aliveMs);
        next.set(id, { pid: tree.root.pid, cpuMs, atMs });
        usages.set(id, {
          // A child that ended takes its time out of the sum.
          cpu_percent: Math.max(0, Math.round(share * 1000) / 10),
          memory_bytes: members.reduce((sum, one) => sum + one.memoryBytes, 0),
          processes: members.length,
          ports: isOurs ? [] : [...portsOf(members.map(({ pid }) => pid))],
        });
      }
      samples = next;
      last = usages;
      lastAtMs = atMs;
      return usages;
    },
  };
}

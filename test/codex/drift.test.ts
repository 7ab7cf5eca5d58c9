/** The drift report: what a changed protocol adds, removes and changes is found and named, and nothing else. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

interface Texts {
  readonly methods: string;
  readonly protocol: string;
}
interface Difference {
  readonly what: string;
  readonly change: string;
  readonly name: string;
}
/** The script is plain JavaScript. */
const { compareProtocols } = (await import(join(ROOT, 'scripts/codex-drift.mjs'))) as {
  compareProtocols(ours: Texts, theirs: Texts): Difference[];
};

const read = (name: string): string => readFileSync(join(ROOT, 'src/contract/generated', name), 'utf8');
const OURS: Texts = { methods: read('codex-methods.ts'), protocol: read('codex-protocol.ts') };

test('[CX62] the same protocol has no differences', () => {
  expect(compareProtocols(OURS, OURS)).toEqual([]);
});

test('[CX62] methods, types, fields and enum values that were added, removed or changed are named', () => {
  const before: Texts = {
    methods: "export const CODEX_CLIENT_REQUESTS = ['turn/start', 'turn/old'] as const;",
    protocol: `
      export type Turn = { id: string; status: Status; gone: number };
      export type Status = 'completed' | 'failed' | 'old';
      export type Item = { type: 'message'; text: string } | { type: 'command'; command: string };
      export type Left = { a: string };`,
  };
  const after: Texts = {
    methods: "export const CODEX_CLIENT_REQUESTS = ['turn/new', 'turn/start'] as const;",
    protocol: `
      export type Turn = { id: number; status: Status; fresh?: Array<string> };
      export type Status = 'completed' | 'failed' | 'new';
      export type Item = { type: 'message'; text: string; moderation: string | null } | { type: 'command'; command: string };
      export type Come = { a: string };`,
  };
  const told = compareProtocols(before, after).map(({ what, change, name }) => `${change} ${what} ${name}`);
  expect(told.sort()).toEqual(
    [
      'removed method turn/old (client requests)',
      'added method turn/new (client requests)',
      'removed type Left',
      'added type Come',
      'changed field Turn.id',
      'removed field Turn.gone',
      'added field Turn.fresh?',
      "removed value Status = 'old'",
      "added value Status = 'new'",
      'added field Item(message).moderation',
      'added value Item(message).moderation = null',
    ].sort(),
  );
});

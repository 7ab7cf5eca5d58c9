/**
 * The loose schemas and the generated types of the pinned Codex say the same: each field we read exists there and has the form
 * we expect. Mostly checked by the compiler: a drift makes one of the `NONE` below an error.
 */
import { expect, test } from 'vitest';
import type { z } from 'zod';
import {
  CODEX_NOTIFICATIONS,
  CODEX_SERVER_REQUESTS,
  type CodexCommandAction,
  type CodexFileChange,
  type CodexItem,
  type CodexThread,
  type CodexThreadStatus,
  type CodexTurn,
  type CodexTurnError,
  type CodexUserInput,
} from '../../contract/codex.ts';
import {
  CODEX_SERVER_NOTIFICATIONS,
  CODEX_SERVER_REQUESTS as GENERATED_REQUESTS,
} from '../../contract/generated/codex-methods.ts';
import type {
  AsyncUserInputQuestion,
  CodexNotificationParams,
  CodexServerRequests,
  CommandAction,
  FileUpdateChange,
  Thread,
  ThreadItem,
  ThreadStatus,
  ToolRequestUserInputOption,
  ToolRequestUserInputQuestion,
  Turn,
  TurnError,
  UserInput,
} from '../../contract/generated/codex-protocol.ts';
import { SERVER_REQUESTS } from './dispositions.ts';

type KeysOf<U> = U extends unknown ? keyof U : never;
type Field<U, K> = U extends unknown ? (K extends keyof U ? U[K] : never) : never;
type ShapeOf<S> = S extends { readonly shape: infer Shape } ? Shape : never;
type Read<S> = S extends z.ZodType ? z.output<S> : never;

/** Checked on their own, one level down; `_meta` is any JSON in the types. */
type Nested = 'thread' | 'turn' | 'item' | 'items' | 'changes' | 'commandActions' | 'error' | 'questions' | '_meta';

/** Fields of a schema that the pinned Codex does not have, or has in another form. */
type Drift<S, Params> = {
  [K in keyof ShapeOf<S>]: K extends KeysOf<Params>
    ? K extends Nested
      ? never
      : NonNullable<Field<Params, K>> extends Read<ShapeOf<S>[K]>
        ? never
        : K
    : K;
}[keyof ShapeOf<S>];

type Notifications = typeof CODEX_NOTIFICATIONS;
type NotificationDrift = {
  [M in keyof Notifications & keyof CodexNotificationParams]: Drift<Notifications[M], CodexNotificationParams[M]>;
};

type Requests = typeof CODEX_SERVER_REQUESTS;
type RequestDrift = {
  [M in keyof Requests & keyof CodexServerRequests]: Drift<Requests[M], CodexServerRequests[M]['params']>;
};

type ItemDrift = Drift<typeof CodexItem, ThreadItem>;
type TurnDrift = Drift<typeof CodexTurn, Turn>;
type ThreadDrift = Drift<typeof CodexThread, Thread>;
type PartDrift =
  | Drift<typeof CodexTurnError, TurnError>
  | Drift<typeof CodexThreadStatus, ThreadStatus>
  | Drift<typeof CodexUserInput, UserInput>
  | Drift<typeof CodexCommandAction, CommandAction>
  /** `kind` is turned into our own shape while it is read. */
  | Exclude<Drift<typeof CodexFileChange, FileUpdateChange>, 'kind'>;

type Question = { id: string; header: string; question: string; isOther: boolean; isSecret: boolean };
const asQuestion = (one: ToolRequestUserInputQuestion): Question => one;
const asOption = (one: ToolRequestUserInputOption): { label: string; description: string } => one;
const asAsyncQuestion = (one: AsyncUserInputQuestion): { title: string; options: string[] | null } => one;

const NONE: readonly never[] = [];

test('[CX19] every field we read is in the types of the pinned Codex, in the form we expect', () => {
  const drifted: readonly (
    | NotificationDrift[keyof NotificationDrift]
    | RequestDrift[keyof RequestDrift]
    | ItemDrift
    | TurnDrift
    | ThreadDrift
    | PartDrift
  )[] = NONE;
  const none: readonly never[] = drifted;
  expect(none).toEqual([]);
  expect([asQuestion, asOption, asAsyncQuestion]).toHaveLength(3);
});

test('[CX19] a planted drift is seen', () => {
  type Schema = {
    readonly shape: { readonly gone: z.ZodString; readonly threadId: z.ZodNumber; readonly turnId: z.ZodString };
  };
  const planted: readonly Drift<Schema, { threadId: string; turnId: string }>[] = ['gone', 'threadId'];
  expect(planted).toHaveLength(2);
  // @ts-expect-error: a field that is as expected is no drift.
  const fine: Drift<Schema, { threadId: string; turnId: string }> = 'turnId';
  expect(fine).toBe('turnId');
});

test('[CX19] every method we read exists in the pinned Codex, and every request it can make is answered', () => {
  const known: readonly string[] = CODEX_SERVER_NOTIFICATIONS;
  expect(Object.keys(CODEX_NOTIFICATIONS).filter((method) => !known.includes(method))).toEqual([]);
  expect(Object.keys(CODEX_SERVER_REQUESTS).toSorted()).toEqual([...GENERATED_REQUESTS].toSorted());
  expect(Object.keys(SERVER_REQUESTS).toSorted()).toEqual([...GENERATED_REQUESTS].toSorted());
});

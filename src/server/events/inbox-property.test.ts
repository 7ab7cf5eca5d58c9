/** Whatever is done to an inbox file, and whenever we are stopped or killed: each event is in the ledger once, and none is lost. */
import { appendFile, copyFile, mkdtemp, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { ExternalEventsConfig } from '../../contract/external-event.ts';
import { ConversationId } from '../../contract/ids.ts';
import { type Clock, systemClock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { createDesk, type Desk } from './desk.ts';
import { type Inbox, openInbox } from './inbox.ts';
import { createIntakeLimits } from './intake-limits.ts';
import { openLedger } from './ledger.ts';

type Action =
  | { readonly do: 'append'; readonly lines: number; readonly end: '\n' | '\r\n' }
  /** The beginning of a line; the next append ends it first, as its writer would. */
  | { readonly do: 'begin a line'; readonly share: number }
  | { readonly do: 'replace' | 'rotate' | 'copy and truncate'; readonly lines: number }
  /** A writer that had the file open when it was moved. */
  | { readonly do: 'append to the old one'; readonly lines: number }
  | { readonly do: 'truncate' | 'delete' | 'settle' | 'stop' | 'kill' | 'start' };

const lines = fc.integer({ min: 0, max: 3 });
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('append'),
      lines: fc.integer({ min: 1, max: 5 }),
      end: fc.constantFrom('\n', '\r\n'),
    }),
  },
  {
    weight: 2,
    // Also all of it but its end.
    arbitrary: fc.record({
      do: fc.constant('begin a line'),
      share: fc.oneof(fc.double({ min: 0.1, max: 0.9, noNaN: true }), fc.constant(1)),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('replace', 'rotate', 'rotate', 'copy and truncate'), lines }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('append to the old one'), lines }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('truncate', 'delete') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('settle') }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('stop', 'kill', 'start', 'start') }) },
);

const THREAD = '01a1e4f1-852f-7af0-9f4f-ec2e2a3c5e1a';
const LIMITS = { maxEvents: 100_000, maxAgeMs: 1e12 };
/** The same timers, fifty times as fast: what a poll of a second finds is found in 20 ms. No time passes: no line is given up. */
const now = Date.now();
const clock: Clock = { ...systemClock, now: () => now, setTimer: (ms, fn) => systemClock.setTimer(ms / 50, fn) };
const config = ExternalEventsConfig.parse({});
const log = createLogger({ level: 'silent' });

/** A file of the model: what is in it, and whether we are known to have it open. */
interface ModelFile {
  path: string;
  whole: string[];
  unfinished: { readonly id: string; readonly rest: string } | null;
  isSeen: boolean;
  readonly isCopy: boolean;
}

class Stand {
  readonly #dir: string;
  readonly #path: string;
  readonly #cursor: string;
  #file: ModelFile | null = null;
  /** Moved aside: what is in them is still there to be read. */
  readonly #aside: ModelFile[] = [];
  /** Taken away, but open when they were. */
  #gone: ModelFile[] = [];
  /** Those that must be in the ledger, those that may be, and those that were. */
  readonly stored = new Set<string>();
  readonly #lost = new Set<string>();
  #count = 0;
  #desk: Desk | null = null;
  #inbox: Inbox | null = null;

  constructor(dir: string) {
    this.#dir = dir;
    this.#path = join(dir, 'external_events.inbox.jsonl');
    this.#cursor = join(dir, 'external_events_state.json');
  }

  async run(step: Action): Promise<void> {
    switch (step.do) {
      case 'append':
        return this.#append(this.#open(), step.lines, step.end);
      case 'append to the old one': {
        const old = this.#aside.at(-1);
        return old === undefined ? undefined : this.#append(old, step.lines, '\n');
      }
      case 'begin a line':
        return this.#begin(step.share);
      case 'replace': {
        const fresh = this.#fresh(step.lines);
        await writeFile(`${this.#path}.tmp`, fresh.text);
        await rename(`${this.#path}.tmp`, this.#path);
        this.#takeAway();
        this.#file = fresh.file;
        return;
      }
      case 'rotate': {
        if (this.#file === null) return;
        this.#count += 1;
        await rename(this.#path, `${this.#path}.${this.#count}`);
        this.#aside.push(Object.assign(this.#file, { path: `${this.#path}.${this.#count}` }));
        const fresh = this.#fresh(step.lines);
        await writeFile(this.#path, fresh.text);
        this.#file = fresh.file;
        return;
      }
      case 'copy and truncate':
        if (this.#file === null) return;
        this.#count += 1;
        await copyFile(this.#path, `${this.#path}.${this.#count}`);
        // What was half written in it stays so: its writer goes on in the other.
        this.#aside.push({
          ...this.#file,
          path: `${this.#path}.${this.#count}`,
          whole: [...this.#file.whole],
          isCopy: true,
        });
        await this.#truncate();
        return this.#append(this.#file, step.lines, '\n');
      case 'truncate':
        return this.#file === null ? undefined : this.#truncate();
      case 'delete':
        if (this.#file === null) return;
        await rm(this.#path);
        this.#takeAway();
        this.#file = null;
        return;
      case 'settle':
        return this.#inbox === null ? undefined : this.settle();
      case 'stop':
        return this.#stop(true);
      case 'kill':
        return this.#stop(false);
      case 'start':
        return this.start();
      default:
        step satisfies never;
    }
  }

  async start(): Promise<void> {
    if (this.#inbox !== null) return;
    const ledger = await openLedger({ dir: this.#dir, retention: LIMITS, clock: systemClock, log });
    this.#desk = createDesk({
      conversationId: ConversationId.parse('conv_00000000000000000000000000000001'),
      label: null,
      threadId: THREAD,
      ledger,
      config,
      clock,
      limits: createIntakeLimits(config, clock),
      onHeld: () => undefined,
      plan: () => ({ mode: 'queue_for_next_turn', state: 'queued', rule: null, hops: 0 }),
      onAccepted: () => undefined,
      keepRejected: () => undefined,
      rejectedBefore: 0,
    });
    const { desk, path, cursorPath } = { desk: this.#desk, path: this.#path, cursorPath: this.#cursor };
    this.#inbox = await openInbox({ path, cursorPath, desk, maxAgeMs: LIMITS.maxAgeMs, clock, log });
  }

  /** Waits for all that must be there; from then on we have the file open. */
  async settle(): Promise<void> {
    const held = [this.#file, ...this.#aside, ...this.#gone].flatMap((file) => file?.whole ?? []);
    const wanted = [...this.stored, ...held];
    await vi.waitFor(async () => expect(await this.ids()).toEqual(expect.arrayContaining(wanted)), {
      timeout: 5_000,
      interval: 5,
    });
    for (const id of held) this.stored.add(id);
    if (this.#file !== null && this.#file.whole.length > 0) this.#file.isSeen = true;
    this.#gone = [];
  }

  async ids(): Promise<string[]> {
    const ledger = this.#desk?.ledger;
    const records = await ledger?.describe([...ledger.events()].map(({ event_seq }) => event_seq));
    return records?.map(({ event_id }) => event_id) ?? [];
  }

  /** Each once, and nothing but what was written. */
  async check(): Promise<void> {
    const ids = await this.ids();
    expect(ids.length).toBe(new Set(ids).size);
    expect(ids.filter((id) => !this.stored.has(id) && !this.#lost.has(id))).toEqual([]);
  }

  async #stop(isSaved: boolean): Promise<void> {
    if (this.#inbox === null) return;
    const before = await readFile(this.#cursor).catch(() => null);
    await this.#inbox.stop();
    await this.#desk?.close();
    this.#inbox = null;
    // Killed: what the last moments would have written of the cursor is not there.
    if (!isSaved && before === null) await rm(this.#cursor, { force: true });
    else if (!isSaved && before !== null) await writeFile(this.#cursor, before);
    for (const file of this.#gone) this.#lose(file);
    this.#gone = [];
    if (this.#file !== null) this.#file.isSeen = false;
  }

  #open(): ModelFile {
    this.#file ??= { path: this.#path, whole: [], unfinished: null, isSeen: false, isCopy: false };
    return this.#file;
  }

  async #append(file: ModelFile, count: number, end: string): Promise<void> {
    if (file.isCopy) return;
    const { unfinished } = file;
    const fresh = Array.from({ length: count }, () => this.#line());
    const ended = unfinished === null ? '' : unfinished.rest + end;
    await appendFile(file.path, `${ended}${fresh.map(({ text }) => text + end).join('')}`);
    if (unfinished !== null) file.whole.push(unfinished.id);
    file.unfinished = null;
    file.whole.push(...fresh.map(({ id }) => id));
  }

  async #begin(share: number): Promise<void> {
    const file = this.#open();
    if (file.unfinished !== null) return;
    const { id, text } = this.#line();
    const at = Math.ceil(text.length * share);
    await appendFile(this.#path, text.slice(0, at));
    file.unfinished = { id, rest: text.slice(at) };
    // It may be taken for a line when its file is taken away.
    if (at === text.length) this.#lost.add(id);
  }

  async #truncate(): Promise<void> {
    await truncate(this.#path, 0);
    if (this.#file === null) return;
    this.#lose(this.#file);
    this.#file.whole = [];
    this.#file.unfinished = null;
  }

  #takeAway(): void {
    if (this.#file === null) return;
    if (this.#inbox !== null && this.#file.isSeen) this.#gone.push(this.#file);
    else this.#lose(this.#file);
  }

  /** Nobody can read them any more; whether we had, we shall see. */
  #lose(file: ModelFile): void {
    for (const id of file.whole) if (!this.stored.has(id)) this.#lost.add(id);
  }

  #fresh(count: number): { readonly file: ModelFile; readonly text: string } {
    const all = Array.from({ length: count }, () => this.#line());
    const file = { path: this.#path, whole: all.map(({ id }) => id), unfinished: null, isSeen: false, isCopy: false };
    return { file, text: all.map(({ text }) => `${text}\n`).join('') };
  }

  #line(): { readonly id: string; readonly text: string } {
    this.#count += 1;
    const id = `evt_${this.#count}`;
    // Lines of the same length, so that a file that was replaced may look the same by its size.
    const event = {
      schema_version: 1,
      event_id: id,
      time_unix_ms: 0,
      type: 'a.b',
      title: 'é'.padEnd(20 - id.length, 'x'),
    };
    return { id, text: JSON.stringify(event) };
  }

  async end(): Promise<void> {
    await this.start();
    await this.settle();
    await this.check();
    await this.#stop(true);
    await this.start();
    await this.settle();
    await this.check();
    await this.#stop(true);
  }
}

test('[EV10] each event of an inbox once, none lost, by whatever is done to the file and to us', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 25 }), async (steps) => {
      const dir = await mkdtemp(join(tmpdir(), 'inbox-'));
      const stand = new Stand(dir);
      try {
        await stand.start();
        for (const step of steps) await stand.run(step);
        await stand.end();
      } finally {
        await stand.run({ do: 'stop' });
        await rm(dir, { recursive: true, force: true });
      }
    }),
    // Not made smaller: each failing run waits for what never comes.
    { numRuns: 150, interruptAfterTimeLimit: 8_000, endOnFailure: true },
  );
});

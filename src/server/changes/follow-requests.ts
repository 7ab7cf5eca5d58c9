/**
 * Follows the checks of pull requests that were opened here: asks gh or glab from time to time, as the person who is logged in there, and
 * publishes each outcome as an External Event of the conversation. The list is on disk, so that a restart goes on.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ConversationId } from '../../contract/ids.ts';
import { type FollowedRequest, FollowedRequests } from '../../contract/request-checks.ts';
import { eventOfChecks, isRequestUrl, nextAskMs, outcomeKey, readChecks } from '../../core/changes/request-checks.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import { ensurePrivateDir, writeFileAtomic } from '../../node/atomic-file.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import type { RunAsPerson } from '../../node/person-program.ts';
import { readJson } from '../../node/read-json.ts';
import { createSerial } from '../../node/serial.ts';
import type { OpenedRequest } from './ship-request.ts';

export interface FollowRequests {
  /** Once conversations are known: before, each of them would count as deleted. */
  start(): void;
  follow(id: ConversationId, opened: OpenedRequest): Promise<void>;
  followed(): readonly FollowedRequest[];
  close(): Promise<void>;
}

interface FollowOptions {
  /** `changes` in the home. */
  readonly folder: string;
  readonly runAsPerson: RunAsPerson;
  /** Where events of the conversation go; null once it was deleted. */
  readonly addressOf: (id: ConversationId) => string | null;
  /** True when the event is durable, or was before. */
  readonly publish: (event: unknown) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Logger;
}

const FILE = 'requests.json';
/** A person has some open at a time; the oldest is followed no more. */
const MAX_FOLLOWED = 50;
const ASK_MS = 20_000;

export async function followRequests(options: FollowOptions): Promise<FollowRequests> {
  const { folder, runAsPerson, addressOf, publish, clock, log } = options;
  const path = join(folder, FILE);
  const stop = new AbortController();
  const serial = createSerial();
  let requests: readonly FollowedRequest[] = (await readJson(path, FollowedRequests))?.requests ?? [];
  let timer: Timer | null = null;
  let isStarted = false;

  const save = async (next: readonly FollowedRequest[]): Promise<void> => {
    requests = next.slice(-MAX_FOLLOWED);
    try {
      await ensurePrivateDir(folder);
      await writeFileAtomic(path, JSON.stringify({ version: 1, requests }));
    } catch (error) {
      // Followed until the server ends. The ledger knows what was told already.
      log.warn({ error }, 'the list of followed pull requests was not saved');
    }
  };

  const ask = async (request: FollowedRequest): Promise<FollowedRequest | null> => {
    const address = addressOf(request.conversation_id);
    if (address === null || nextAskMs(request, clock.now()) === null) return null;
    let printed = '';
    const answer = await runAsPerson({
      program: request.tool,
      host: new URL(request.url).hostname,
      cwd: homedir(),
      args: argsOf(request),
      timeoutMs: ASK_MS,
      signal: stop.signal,
      onOutput: (text) => {
        printed = (printed + text).slice(-2_000);
      },
    });
    const asked: FollowedRequest = { ...request, asked_ms: clock.now() };
    const isRead = answer.kind === 'ended' && answer.code === 0;
    const checks = isRead ? readChecks(request.tool, parseJson(answer.stdout)) : null;
    if (checks === null) {
      if (!stop.signal.aborted)
        log.info({ url: request.url, printed }, 'the checks of a pull request could not be read');
      return asked;
    }
    if (checks.state === 'closed') return null;
    const key = outcomeKey(checks);
    if (key === null || key === request.told) return asked;
    const isTold = await publish(eventOfChecks(request, checks, { address, nowMs: clock.now() }));
    return isTold ? { ...asked, told: key } : asked;
  };

  const round = async (): Promise<void> => {
    for (const request of requests) {
      const due = nextAskMs(request, clock.now());
      if (stop.signal.aborted) return;
      if (due !== null && due > clock.now()) continue;
      const next = await ask(request);
      await save(requests.flatMap((one) => (one !== request ? [one] : next === null ? [] : [next])));
    }
  };

  const wait = (): void => {
    timer?.cancel();
    timer = null;
    if (!isStarted || stop.signal.aborted || requests.length === 0) return;
    const now = clock.now();
    const due = Math.min(...requests.map((one) => nextAskMs(one, now) ?? now));
    timer = clock.setTimer(Math.max(due - now, 0), () => {
      serial
        .run(round)
        .catch((error: unknown) => log.error({ error }, 'pull requests could not be followed'))
        .finally(wait);
    });
  };

  return {
    start() {
      isStarted = true;
      wait();
    },
    async follow(id, { tool, url, branch }) {
      if (!isRequestUrl(url) || stop.signal.aborted) return;
      const request = { conversation_id: id, tool, url, branch, opened_ms: clock.now(), asked_ms: null, told: null };
      await serial.run(() => save([...requests.filter((one) => one.url !== url), request]));
      wait();
    },
    followed: () => requests,
    async close() {
      stop.abort();
      timer?.cancel();
      await serial.idle();
    },
  };
}

/** The address was printed by the tool itself, and is no option: it begins with `http`. */
function argsOf({ tool, url }: FollowedRequest): readonly string[] {
  if (tool === 'gh') return ['pr', 'view', url, '--json', 'state,headRefOid,statusCheckRollup'];
  const [repository = '', number = ''] = url.split('/-/merge_requests/');
  return ['mr', 'view', number, '--repo', repository, '--output', 'json'];
}

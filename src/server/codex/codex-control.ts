/** What others may do with the Codex process: see how it stands, start and stop it. Requests go through the operations. */
import type { RpcId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { CodexStatus } from '../../contract/ui-event.ts';
import type { RpcReply } from '../../core/conversations/thread-state.ts';

export interface CodexControl {
  status(): CodexStatus;
  /** Also closes a tripped breaker. */
  start(): Promise<Result<null>>;
  stop(): Promise<void>;
  /** Ends it and starts it by the plan as it is now; requests wait meanwhile. Nothing when it is stopped. */
  restart(): Promise<Result<null>>;
  /** Lets go of Codex without ending it, if it can live alone. */
  detach(): Promise<void>;
}

/** Answers to requests of Codex. */
export interface CodexReplies {
  /** Only the process that asked is answered. */
  reply(epoch: string, id: RpcId, body: RpcReply): Result<null>;
}

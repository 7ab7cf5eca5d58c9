/** Changes of files as the page uses them: checkpoints, differences, undo and restore; and schedules, whose panel makes its own calls. */
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { RouteCall, RouteOutput } from '../../contract/routes.ts';
import type { SCHEDULE_ROUTES } from '../../contract/routes-schedules.ts';
import type { SHIP_ROUTES } from '../../contract/routes-ship.ts';
import type { CommandPorts } from './command-ports.ts';

type ShipRoute = keyof typeof SHIP_ROUTES;
type ScheduleRoute = keyof typeof SCHEDULE_ROUTES;

export interface ChangeCommands {
  /** Reads the checkpoints of the open conversation again. */
  readCheckpoints(): Promise<void>;
  readCheckpoint(id: ConversationId, checkpointId: string): Promise<Result<RouteOutput<'readCheckpoint'>>>;
  readDiff(call: RouteCall<'changesDiff'>): Promise<Result<RouteOutput<'changesDiff'>>>;
  /** What of the repository can be reviewed. */
  readReviewChoices(id: ConversationId): Promise<Result<RouteOutput<'reviewChoices'>>>;
  readChanges(call: RouteCall<'changesStatus'>): Promise<Result<RouteOutput<'changesStatus'>>>;
  watchChanges(id: ConversationId): Promise<Result<RouteOutput<'watchChanges'>>>;
  /** Stages or unstages whole files, or hunks of one. */
  changeIndex(act: 'stage' | 'unstage', call: RouteCall<'stageChanges'>): Promise<Result<object>>;
  discardChanges(call: RouteCall<'discardChanges'>): Promise<Result<RouteOutput<'discardChanges'>>>;
  undoCheckpoint(call: RouteCall<'undoCheckpoint'>): Promise<Result<RouteOutput<'undoCheckpoint'>>>;
  restoreCheckpoint(call: RouteCall<'restoreCheckpoint'>): Promise<Result<RouteOutput<'restoreCheckpoint'>>>;
  /** Commit, branches, pull, push and pull request. */
  ship<Id extends ShipRoute>(route: Id, input: RouteCall<Id>): Promise<Result<RouteOutput<Id>>>;
  schedule<Id extends ScheduleRoute>(route: Id, input: RouteCall<Id>): Promise<Result<RouteOutput<Id>>>;
}

export function createChangeCommands({ store, call }: CommandPorts): ChangeCommands {
  return {
    async readCheckpoints() {
      const id = store.getState().openId;
      const listed = id === null ? null : await call('listCheckpoints', { id });
      if (listed?.ok && store.getState().openId === id) store.setState({ checkpoints: listed.value.checkpoints });
    },
    readCheckpoint: (id, checkpoint_id) => call('readCheckpoint', { id, checkpoint_id }),
    readDiff: (input) => call('changesDiff', input),
    readReviewChoices: (id) => call('reviewChoices', { id }),
    readChanges: (input) => call('changesStatus', input),
    watchChanges: (id) => call('watchChanges', { id }),
    changeIndex: (act, input) => call(act === 'stage' ? 'stageChanges' : 'unstageChanges', input),
    discardChanges: (input) => call('discardChanges', input),
    undoCheckpoint: (input) => call('undoCheckpoint', input),
    restoreCheckpoint: (input) => call('restoreCheckpoint', input),
    ship: call,
    schedule: call,
  };
}

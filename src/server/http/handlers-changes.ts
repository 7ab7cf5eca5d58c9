/** Route id → service call, for changes of files. A session undoes at once; a token only with the confirmation of a person at a terminal. */
import { type Failure, fail, ok, type Result } from '../../contract/result.ts';
import type { CHANGE_ROUTES } from '../../contract/routes-changes.ts';
import { stepsOfSelection, stepsOfUndo } from '../../core/access/step-up.ts';
import type { Caller } from '../caller.ts';
import type { DiffEnd } from '../changes/diff-ends.ts';
import type { UndoResult } from '../changes/undo.ts';
import type { HandlersFor, Services } from './services.ts';

export function changeHandlers({ changes, access, registry }: Services): HandlersFor<typeof CHANGE_ROUTES> {
  const endOf = (id: string, text: string): Result<DiffEnd> => {
    if (text === 'head' || text === 'index' || text === 'work_tree' || text === 'base') return ok({ kind: text });
    const [checkpointId = '', side] = text.split(':');
    const found = changes.find(id, checkpointId);
    return found.ok
      ? ok({ kind: 'checkpoint', checkpoint: found.value, side: side === 'after' ? 'after' : 'before' })
      : found;
  };
  const known = (id: string): Result<null> =>
    registry.isKnown(id) ? ok(null) : fail('unknown_conversation', `there is no conversation ${id}`);

  type Selected = Parameters<HandlersFor<typeof CHANGE_ROUTES>['stageChanges']>[0];
  /** Refuses what the caller may not do. */
  const maySelect = (act: 'stage' | 'unstage' | 'discard', { id, paths, hunks, confirm }: Selected, caller: Caller) => {
    const isKnown = known(id);
    if (!isKnown.ok) return Promise.resolve(isKnown);
    const steps = caller.kind === 'session' ? [] : stepsOfSelection(act, paths.length);
    return access.confirmations.require({ caller, steps, change: [act, id, paths, hunks ?? null], confirm });
  };
  const changeIndex = async (act: 'stage' | 'unstage', input: Selected, caller: Caller) => {
    const allowed = await maySelect(act, input, caller);
    if (!allowed.ok) return allowed;
    const done = await changes.changeIndex(input.id, act, input);
    return done.ok ? ok({}) : done;
  };

  return {
    async watchChanges({ id }) {
      const isKnown = known(id);
      if (!isKnown.ok) return isKnown;
      const coverage = await changes.watch(id);
      if (coverage.ok) return ok({ coverage: coverage.value });
      return coverage.error.code === 'no_answer' ? coverage : ok({ coverage: 'none' as const });
    },
    stageChanges: (input, caller) => changeIndex('stage', input, caller),
    unstageChanges: (input, caller) => changeIndex('unstage', input, caller),
    async discardChanges(input, caller) {
      const allowed = await maySelect('discard', input, caller);
      return allowed.ok ? answer(await changes.discard(input.id, input)) : allowed;
    },
    async changesStatus({ id }) {
      const listed = changes.list(id);
      if (!listed.ok) return listed;
      const status = await changes.status(id);
      const counted = { checkpoints: listed.value.length };
      if (status.ok) return ok({ repository: status.value, reason: null, ...counted });
      return isOutside(status.error) ? ok({ repository: null, reason: status.error.message, ...counted }) : status;
    },
    async reviewChoices({ id }) {
      const choices = await changes.reviewChoices(id);
      if (choices.ok || !isOutside(choices.error)) return choices;
      return ok({ branches: [], base: null, commits: [], uncommitted: 0, reason: choices.error.message });
    },
    async changesDiff({ id, from, to, path }) {
      const [isKnown, start, end] = [known(id), endOf(id, from), endOf(id, to)];
      if (!isKnown.ok) return isKnown;
      if (!start.ok) return start;
      if (!end.ok) return end;
      const text = await changes.diff(id, start.value, end.value, path);
      return text.ok
        ? ok({ diff: text.value.text, is_cut: text.value.isCut, hunks: [...(text.value.hunks ?? [])] })
        : text;
    },
    async listCheckpoints({ id }) {
      const listed = changes.list(id);
      return listed.ok ? ok({ checkpoints: [...listed.value] }) : listed;
    },
    async readCheckpoint({ id, checkpoint_id }) {
      const found = known(id).ok ? changes.find(id, checkpoint_id) : known(id);
      if (!found.ok) return found;
      if (found.value === null) return fail('not_found', 'no checkpoint');
      const shown = await changes.show(id, found.value);
      return shown.ok ? ok({ checkpoint: shown.value.checkpoint, files: [...shown.value.files] }) : shown;
    },
    async undoCheckpoint({ id, checkpoint_id, choices, is_trial, confirm }, caller) {
      const isKnown = known(id);
      if (!isKnown.ok) return isKnown;
      const steps = caller.kind === 'session' || is_trial ? [] : stepsOfUndo('undo');
      const change = ['undoCheckpoint', id, checkpoint_id, choices];
      const confirmed = await access.confirmations.require({ caller, steps, change, confirm });
      if (!confirmed.ok) return confirmed;
      return answer(
        await changes.undo({ conversationId: id, checkpointId: checkpoint_id, choices, isTrial: is_trial }),
      );
    },
    async restoreCheckpoint({ id, checkpoint_id, side, is_trial, confirm }, caller) {
      const isKnown = known(id);
      if (!isKnown.ok) return isKnown;
      const steps = caller.kind === 'session' || is_trial ? [] : stepsOfUndo('restore');
      const change = ['restoreCheckpoint', id, checkpoint_id, side];
      const confirmed = await access.confirmations.require({ caller, steps, change, confirm });
      if (!confirmed.ok) return confirmed;
      return answer(
        await changes.restore({ conversationId: id, checkpointId: checkpoint_id, side, isTrial: is_trial }),
      );
    },
  };
}

/** There is no repository to ask; anything else went wrong. */
const isOutside = ({ code }: Failure): boolean => ['not_found', 'missing_cwd', 'conflict'].includes(code);

const answer = (done: Result<UndoResult>) =>
  done.ok
    ? ok({ steps: [...done.value.steps], checkpoint: done.value.checkpoint, skipped: [...done.value.skipped] })
    : done;

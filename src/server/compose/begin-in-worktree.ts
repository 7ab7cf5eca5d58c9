/** Begins a conversation in a work tree that is made for it. Every attempt with the same request id ends in the same work tree and conversation. */
import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Snapshot } from '../../contract/changes.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { MadeWorktree, NewWorktree } from '../../contract/worktrees.ts';
import { isInside } from '../../core/conversations/settings.ts';
import { isDirectory } from '../../node/path-kind.ts';
import { createKeyedSerial } from '../../node/serial.ts';
import type { Worktrees } from '../changes/worktrees.ts';
import type { WorktreeSetups } from '../config/worktree-setups.ts';
import type { Actions } from '../conversations/actions.ts';
import type { Conversation } from '../conversations/conversation.ts';
import type { Registry } from '../conversations/registry.ts';
import type { RunSetup } from './worktree-setup.ts';

type Created = Extract<Awaited<ReturnType<Actions['create']>>, { readonly ok: true }>['value'];

interface Begun extends Created {
  readonly worktree: MadeWorktree;
}

/** `create` makes the conversation in the directory that it is given. */
export type BeginInWorktree = (
  cwd: string,
  wanted: NewWorktree,
  create: (cwd: string) => Promise<Result<Created>>,
  more?: BeginMore,
) => Promise<Result<Begun>>;

interface BeginMore {
  /** What the files of the new work tree are; without it, as the commit has them. */
  readonly files: Snapshot;
  /** The conversation that the new one is a fork of. */
  readonly forkOf: ConversationId;
}

interface BeginOptions {
  readonly worktrees: Pick<Worktrees, 'add' | 'list' | 'remove' | 'records'>;
  readonly registry: Pick<Registry, 'open' | 'metas'>;
  readonly setups: Pick<WorktreeSetups, 'of'>;
  readonly runSetup: RunSetup;
}

/** Of the entries that say what was not copied. */
const WARNING_CODE = 'worktree';

export function createBeginInWorktree({ worktrees, registry, setups, runSetup }: BeginOptions): BeginInWorktree {
  const { records } = worktrees;
  /** By request id: the second of two attempts at once waits for the first. */
  const serial = createKeyedSerial<string>();

  /** The conversation of an earlier attempt: recorded, or made right before the server was killed. */
  const findBegun = async (requestId: string, forkOf?: ConversationId): Promise<Conversation | null> => {
    const record = records.ofRequest(requestId);
    if (record === null) return null;
    const isUnrecorded = (id: ConversationId) => records.all().every((one) => one.conversation_id !== id);
    const draft = registry
      .metas()
      .find(
        (meta) =>
          (forkOf === undefined ? meta.thread_id === null : meta.forked_from === forkOf) &&
          isInside(record.path, meta.cwd) &&
          isUnrecorded(meta.conversation_id),
      );
    const id = record.conversation_id ?? draft?.conversation_id;
    const opened = id === undefined ? null : await registry.open(id);
    return opened?.ok ? opened.value : null;
  };

  const note = async (requestId: string, id: ConversationId): Promise<void> => {
    const record = records.ofRequest(requestId);
    // One that could not be written costs only that a further attempt looks for the draft.
    if (record !== null && record.conversation_id !== id) await records.put({ ...record, conversation_id: id });
  };

  /** The conversation begins whatever becomes of the command: what went wrong stands in its transcript. */
  const setUp = async (conversation: Conversation, path: string, shown: string): Promise<void> => {
    const warn = (text: string) => conversation.session.append({ role: 'warning', code: WARNING_CODE, text });
    const record = records.all().find((one) => one.path === path);
    if (record === undefined || setups.of(record.common_dir) !== shown) {
      await warn(
        'The set-up command of this repository was changed meanwhile, so it did not run: run it in the terminal.',
      );
      return;
    }
    const notDone = (why: string) => `The set-up command \`${shown}\` failed: ${why}. The Shells panel has its output.`;
    const onEnd = (failure: string | null): void => {
      if (failure !== null) void warn(notDone(failure));
    };
    const started = await runSetup({ path, branch: record.branch, command: shown, onEnd });
    if (!started.ok) await warn(`The set-up command \`${shown}\` did not start: ${started.error.message}`);
  };

  return (cwd, { request_id: requestId, setup, ...wanted }, create, more) =>
    serial.run(requestId, async () => {
      const begun = await findBegun(requestId, more?.forkOf);
      const record = records.ofRequest(requestId);
      if (begun !== null && record !== null) {
        await note(requestId, begun.meta().conversation_id);
        const { path, branch, copied, warnings } = record;
        return ok({ conversation: begun, warnings: [...warnings], worktree: { path, branch, copied: [...copied] } });
      }
      const added = await worktrees.add({ cwd, ...wanted, requestId, files: more?.files });
      if (!added.ok) return added;
      const { worktree, copied, warnings } = added.value;
      const created = await create(await sameFolderIn(worktrees, cwd, worktree.path));
      if (!created.ok) {
        // Nothing was done there yet; whatever is not as it was made stays.
        // The files of a snapshot are in its checkpoint.
        const lose = more !== undefined;
        await worktrees.remove({ path: worktree.path, lose, is_trial: false, with_branch: !wanted.existing });
        return created;
      }
      const { conversation } = created.value;
      await note(requestId, conversation.meta().conversation_id);
      for (const text of warnings) await conversation.session.append({ role: 'warning', code: WARNING_CODE, text });
      if (setup !== undefined) await setUp(conversation, worktree.path, setup);
      return ok({
        conversation,
        warnings: [...created.value.warnings, ...warnings],
        worktree: { path: worktree.path, branch: wanted.branch, copied: [...copied] },
      });
    });
}

/** The folder of the new work tree that is in the place of `cwd`; its top if there is none. A link that leads elsewhere is not followed. */
async function sameFolderIn(worktrees: BeginOptions['worktrees'], cwd: string, root: string): Promise<string> {
  const [real, listed] = [await realpath(cwd).catch(() => cwd), await worktrees.list(cwd)];
  if (!listed.ok) return root;
  const wanted = join(root, relative(listed.value.root, real));
  const isThere = (await isDirectory(wanted)) && (await realpath(wanted)) === wanted;
  return isThere ? wanted : root;
}

/** One of the further attempts at a task: makes its conversation and sends it the message. Repeated once where an answer got lost. */
import type { RouteCall } from '../../contract/routes.ts';
import type { CommandPorts } from '../state/command-ports.ts';
import { EN_START } from '../strings/en-start.ts';
import { showName } from '../transcript/ansi.ts';

/** The ids are the request's, so that a repeated attempt makes and sends nothing twice. */
export async function beginAttempt(
  { call, toast }: Pick<CommandPorts, 'call' | 'toast'>,
  settings: RouteCall<'createConversation'>,
  message: Pick<RouteCall<'sendMessage'>, 'text' | 'images'>,
): Promise<void> {
  const { worktree } = settings;
  if (worktree === undefined) return;
  const failed = (why: string) =>
    toast({ text: EN_START.place.attemptFailed(showName(worktree.branch), showName(why)), tone: 'error' });
  const create = () => call('createConversation', settings);
  const first = await create();
  const made = first.ok ? first : await create();
  if (!made.ok) return failed(made.error.message);
  const send = () =>
    call('sendMessage', { conversation_id: made.value.id, client_message_id: worktree.request_id, ...message });
  const sent = await send();
  const last = sent.ok ? sent : await send();
  if (!last.ok) failed(last.error.message);
}

/**
 * The laws of interleaved operations: compares what two clients asked and were answered with what is there at rest. Pure, and without any
 * code of the product.
 */

export const INTERLEAVE_LAWS = {
  raw: 'no answer is an error of Codex or of the server: each is a success or a typed refusal that says what to do',
  unanswered: 'every request is answered',
  lost: 'a message that was answered with success is in the transcript or in the queue',
  doubled: 'a message has one user entry, and is not in the queue too',
  unsettled: 'a message in the transcript ends in exactly one final state',
  'wrong-delivered': 'a delivered message was given to the model, once',
  'wrong-not-delivered': 'a message that was not delivered was never given to the model',
  steer: 'a steered message is in a turn that another message, a review or a compaction began',
  turns: 'every turn that began ends once, and nothing is running at rest',
  transcript: 'the numbers of a transcript are dense',
  rename: 'the label is that of the last rename',
  archive: 'a conversation is archived if that was asked last',
  fork: 'a fork that was answered with success is there',
  stuck: 'everything comes to rest, and a fresh message completes',
};

const FINAL = ['delivered', 'not_delivered'];
const MESSAGES = ['send', 'steer', 'queue'];
/** What Codex says in its own words; none of it tells a person what to do. */
const RAW =
  /thread not found|is archived|no rollout|rollout found|cannot steer|NotSteerable|expected active turn|is not found|internal error|failed to|panicked/i;
const REFUSALS = new Set([404, 409]);

export function checkInterleaving(record, seen) {
  const found = [];
  const say = (law, text) => found.push({ law, text });
  for (const one of record) checkAnswer(one, record, say);
  seen.conversations.forEach((conversation, at) => {
    const own = record.filter((one) => one.conversation === at);
    checkTranscript(conversation, say);
    for (const one of own) if (MESSAGES.includes(one.operation)) checkMessage(one, conversation, say);
    checkLast(own, 'rename', conversation.label, (one) => one.marker, say);
    checkArchived(own, conversation, say);
  });
  for (const text of seen.missingForks) say('fork', text);
  return found;
}

const isDone = ({ status }) => status !== null && status < 300;
const name = ({ operation, id, status, body }) =>
  `${operation} ${id} (${status} ${body?.code ?? body?.outcome ?? ''}${body?.message ? `: ${body.message}` : ''})`;

function checkAnswer(one, record, say) {
  if (one.status === null) return say('unanswered', `${one.operation} ${one.id}: ${one.error}`);
  if (isDone(one)) return;
  if (!REFUSALS.has(one.status)) return say('raw', name(one));
  if (RAW.test(one.body.message ?? '')) return say('raw', name(one));
  // Only a conversation that somebody deletes is unknown; a restore has nothing to restore unless it was deleted before.
  const isDeleted = record.some((other) => other.operation === 'delete' && other.conversation === one.conversation);
  if (one.status === 404 && !isDeleted && one.operation !== 'restore') say('raw', name(one));
  if (one.status === 409 && !/[:;,.] ?\w/.test(one.body.message ?? ''))
    say('raw', `${name(one)} does not say what to do`);
}

function checkMessage(one, conversation, say) {
  const users = conversation.entries.filter(({ role, text }) => role === 'user' && text.includes(one.marker));
  const isQueued = conversation.queue.includes(one.id);
  const told = conversation.told[one.marker] ?? 0;
  if (isDone(one) && users.length === 0 && !isQueued) say('lost', `${name(one)}; the model has had it ${told} times`);
  if (users.length + (isQueued ? 1 : 0) > 1)
    say('doubled', `${name(one)}: ${users.length} entries, queued ${isQueued}`);
  const [user] = users;
  if (user === undefined) {
    if (told > 0) say('lost', `${name(one)}: the model has had it, and no transcript has`);
    return;
  }
  const later = conversation.entries.filter(
    ({ role, client_message_id: id }) => role === 'delivery' && id === user.client_message_id,
  );
  const finals = [user, ...later].map(({ state }) => state).filter((state) => FINAL.includes(state));
  if (user.state !== undefined && finals.length !== 1) say('unsettled', `${name(one)}: ${finals.join(', ') || 'none'}`);
  const state = user.state === undefined ? 'delivered' : finals.at(-1);
  if (told > 1) say('wrong-delivered', `${name(one)}: ${told} times in one request`);
  // A turn that was stopped before the model was asked has its message, and the model does not.
  if (state === 'delivered' && told === 0 && !wasStopped(conversation, user, later))
    say('wrong-delivered', `${name(one)}: the model never had it`);
  if (state === 'not_delivered' && told > 0) say('wrong-not-delivered', name(one));
  if (one.body?.outcome === 'steered' && state === 'delivered') checkSteered(one, conversation, user, later, say);
}

const turnOf = (user, later) => user.turn_id ?? later.findLast((entry) => entry.turn_id)?.turn_id;

function wasStopped({ entries }, user, later) {
  const turnId = turnOf(user, later);
  return entries.some(
    (entry) => entry.role === 'status' && entry.turn_id === turnId && entry.turn_status !== 'completed',
  );
}

function checkSteered(one, { entries }, user, later, say) {
  const turnId = turnOf(user, later);
  if (turnId === undefined) return;
  const starter = entries.find((entry) => entry.role === 'user' && entry !== user && entry.seq < user.seq);
  if (starter === undefined) say('steer', `${name(one)}: nothing was before it`);
}

function checkTranscript({ id, entries, state }, say) {
  if (!['idle', 'failed', 'draft'].includes(state)) say('turns', `${id} is ${state} at rest`);
  const holes = entries.filter((entry, at) => entry.seq !== at + 1);
  if (holes.length > 0) say('transcript', `${id}: number ${holes[0].seq} at place ${entries.indexOf(holes[0]) + 1}`);
  const ends = new Map();
  for (const { role, turn_id: turnId } of entries)
    if (role === 'status' && turnId) ends.set(turnId, (ends.get(turnId) ?? 0) + 1);
  for (const [turnId, times] of ends) if (times > 1) say('turns', `${turnId} of ${id} ended ${times} times`);
}

/** Of the operations that were answered with success, those that no other one began after. */
function lastOnes(done) {
  return done.filter((one) => !done.some((other) => other.askedAt > one.answeredAt));
}

function checkLast(own, operation, value, readValue, say) {
  const candidates = lastOnes(own.filter((one) => one.operation === operation && isDone(one)));
  if (candidates.length === 0) return;
  const allowed = candidates.map(readValue);
  if (!allowed.includes(value)) say(operation, `${JSON.stringify(value)} is none of ${JSON.stringify(allowed)}`);
}

function checkArchived(own, { archived, id }, say) {
  const moves = own.filter((one) => ['archive', 'unarchive'].includes(one.operation) && isDone(one));
  const last = lastOnes(moves);
  // At rest the rig has taken every conversation out of the archive.
  if (archived) say('archive', `${id} is archived at rest, after ${last.map(({ operation }) => operation).join(', ')}`);
}

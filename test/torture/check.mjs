/**
 * The laws: compares what was submitted and how it was answered with what was seen afterwards. Pure, and written without any code of
 * the product, so that a mistake there cannot hide itself here.
 */

export const LAWS = {
  lost: 'a message answered 200 is in the transcript or in the queue',
  both: 'a message is not in the transcript and in the queue',
  doubled: 'a message has one user entry',
  words: 'the words of a message are stored as they were submitted',
  unsettled: 'a user entry with a state is settled by exactly one final state',
  'wrong-delivered': 'delivered: the model has the message exactly once',
  'wrong-not-delivered': 'not_delivered: the model never got the message',
  'told-twice': 'the model never has one message twice',
  'unknown-message': 'the model has no message that no transcript knows',
  order: 'messages reach the model in the order of submission',
  steer: 'a steer belongs to the turn it was sent into and never starts one',
  'event-lost': 'an accepted event is told, or waits visibly',
  'event-twice': 'an event is told at most once',
  'event-untold': 'an event that the ledger calls delivered was told',
  'event-other-turn': 'an event for another turn does not steer the running one',
  turns: 'every turn ends, once',
  approvals: 'every approval ends, once',
  transcript: 'the numbers of a transcript are dense, and pages show what the file has',
  history: "Codex's history has a message once",
  board: 'a post is on the board once',
  terminal: 'a command of the terminal is recorded once',
  stuck: 'everything comes to rest, and a fresh message completes',
  internal: 'no answer says that the server has a bug',
};

const FINAL = ['delivered', 'not_delivered'];
/** Ledger states that claim the model has the event. */
const TOLD = ['delivered', 'appended'];
/** Ledger states that show a person that the event waits, or why the model does not get it. */
const VISIBLE = ['queued', 'held', 'dropped', 'notified'];

/** @returns {{ law: string, text: string }[]} */
export function check(record, seen) {
  const found = [];
  const say = (law, text) => found.push({ law, text });
  for (const text of record.internal) say('internal', text);
  seen.conversations.forEach((one, at) => {
    checkTranscript(one, say);
    const messages = [...record.messages.values()].filter(({ conversation }) => conversation === at);
    for (const message of messages) checkMessage(message, one, say);
    checkOrder(messages, one, say);
    const events = [...record.events.values()].filter(({ conversation }) => conversation === at);
    for (const event of events) checkEvent(event, one, say);
    const commands = [...record.commands.values()].filter(({ conversation }) => conversation === at);
    for (const { marker } of commands) {
      const inputs = one.entries.filter(({ role, command }) => role === 'shell_input' && command.includes(marker));
      if (inputs.length > 1) say('terminal', `${marker} is there ${inputs.length} times`);
    }
  });
  checkBoard(record.posts, seen.board, say);
  return found;
}

const accepted = ({ attempts }) => attempts.filter(({ status }) => status !== null && status < 300);
const usersWith = (one, marker) => one.entries.filter(({ role, text }) => role === 'user' && text.includes(marker));
const timesTold = (one, marker) => Math.max(0, ...one.told.map((markers) => markers[marker] ?? 0));
const timesNow = (one, marker) => one.newestInput.reduce((sum, text) => sum + (text.split(marker).length - 1), 0);

function finalStatesOf(one, user) {
  const later = one.entries.filter(
    ({ role, client_message_id: id }) => role === 'delivery' && id !== undefined && id === user.client_message_id,
  );
  return [user, ...later].map(({ state }) => state).filter((state) => FINAL.includes(state));
}

function checkMessage(message, one, say) {
  const { id, marker, text, mode } = message;
  const name = `${id} (${mode}, answered ${message.attempts.map(describeAttempt).join(' then ')})`;
  const users = usersWith(one, marker);
  const isQueued = one.queue.includes(id);
  const told = timesTold(one, marker);
  if (users.length === 0 && !isQueued && accepted(message).length > 0)
    say('lost', `${name} is nowhere; the model has it ${told} times`);
  if (users.length > 0 && isQueued) say('both', name);
  if (users.length > 1) say('doubled', `${name} has ${users.length} user entries`);
  if (told > 1) say('told-twice', `${name}: ${told} times in one request`);
  const listed = one.history.filter((clientId) => clientId === id).length;
  if (listed > 1) say('history', `${name}: ${listed} times`);
  const [user] = users;
  if (user === undefined) {
    if (told > 0 && !isQueued) say('unknown-message', `${name}: the model has it, no transcript does`);
    return;
  }
  if (user.text.trimEnd() !== text.trimEnd()) say('words', `${name}: ${JSON.stringify(user.text)}`);
  if (user.client_message_id !== id) say('doubled', `${name} is stored under the id ${user.client_message_id}`);
  const finals = finalStatesOf(one, user);
  if (user.state !== undefined && finals.length !== 1)
    say('unsettled', `${name}: ${finals.join(', ') || 'no final state'}`);
  // An entry without a state was written when Codex reported the message: that is delivered.
  const state = user.state === undefined ? 'delivered' : finals.at(-1);
  if (state === 'delivered' && timesNow(one, marker) !== 1)
    say('wrong-delivered', `${name}: the model has it ${timesNow(one, marker)} times`);
  if (state === 'not_delivered' && told > 0) say('wrong-not-delivered', `${name}: the model has had it`);
  if (state === 'delivered') checkSteer(message, name, user, one, say);
}

function checkSteer(message, name, user, one, say) {
  const steered = accepted(message).find(({ body }) => body.outcome === 'steered');
  if (steered === undefined) return;
  const turnId = turnOf(one, user);
  if (steered.body.turn_id !== null && turnId !== undefined && turnId !== steered.body.turn_id)
    say('steer', `${name}: was sent into ${steered.body.turn_id} and is in ${turnId}`);
  const others = one.entries.filter(
    (entry) => entry.role === 'user' && entry !== user && turnOf(one, entry) === turnId && entry.seq < user.seq,
  );
  if (turnId !== undefined && others.length === 0) say('steer', `${name}: is the first message of its turn`);
}

function turnOf(one, user) {
  const { client_message_id: id } = user;
  const later = one.entries.findLast(
    (entry) => entry.role === 'delivery' && entry.client_message_id === id && entry.turn_id,
  );
  return user.turn_id ?? later?.turn_id;
}

/** Only pairs whose order is known: the first was answered before the second was submitted. */
function checkOrder(messages, one, say) {
  const all = one.newestInput.join('\n');
  const placed = messages.flatMap((message) => {
    const [first] = accepted(message).filter(({ body }) => ['started', 'queued'].includes(body.outcome));
    const at = all.indexOf(message.marker);
    return first === undefined || at < 0 || message.mode === 'steer'
      ? []
      : [{ ...message, at, outcome: first.body.outcome, from: message.attempts[0].submittedAt, to: first.answeredAt }];
  });
  for (const before of placed)
    for (const after of placed) {
      // A message that was sent while the queue was paused goes first: that is what pausing means.
      const isKnown = before.outcome === 'started' || after.outcome === 'queued';
      if (isKnown && before.to < after.from && before.at > after.at)
        say('order', `${before.id} (${before.outcome}) came after ${after.id} (${after.outcome})`);
    }
}

function checkEvent(event, one, say) {
  const { id, marker, way, delivery } = event;
  const rows = one.ledger.filter((row) => row.event_id === id);
  // An event that moved from a lost thread to the new one is in both ledgers; the newest row counts.
  const row = rows.at(-1);
  const name = `${id} (${delivery} by ${way}, ledger: ${rows.map((r) => `${r.state}/${r.mode}${r.reason ? ` ${r.reason}` : ''}`).join(' + ') || 'nothing'})`;
  const now = timesNow(one, marker);
  if (timesTold(one, marker) > 1) say('event-twice', `${name}: ${timesTold(one, marker)} times in one request`);
  if (accepted(event).length > 0 && row === undefined) say('event-lost', `${name}: accepted, and not in the ledger`);
  if (row === undefined) return;
  if (TOLD.includes(row.state) && now === 0) say('event-untold', name);
  if (!TOLD.includes(row.state) && !VISIBLE.includes(row.state))
    say('event-lost', `${name}: neither told nor visibly waiting`);
  if (!TOLD.includes(row.state) && now > 0) say('event-twice', `${name}: told already, and will be told again`);
  if (delivery === 'other-turn' && row.mode === 'turn_steer') say('event-other-turn', name);
}

function checkTranscript(one, say) {
  const name = `${one.id}`;
  const gap = one.raw.findIndex(({ seq }, at) => seq !== at + 1);
  if (gap >= 0) say('transcript', `${name}: entry ${gap + 1} of the file has the number ${one.raw[gap].seq}`);
  const paged = one.entries.filter(({ seq }) => seq > 0);
  if (JSON.stringify(paged) !== JSON.stringify(one.raw)) say('transcript', `${name}: pages and file differ`);
  if (one.pendingApprovals > 0) say('approvals', `${name}: ${one.pendingApprovals} wait`);
  const ends = new Map();
  const turns = new Set();
  const answers = new Map();
  for (const entry of one.entries) {
    if (entry.role === 'approval') answers.set(entry.approval_id, (answers.get(entry.approval_id) ?? 0) + 1);
    if (entry.role === 'status' && entry.turn_id) ends.set(entry.turn_id, (ends.get(entry.turn_id) ?? 0) + 1);
    if ((entry.role === 'user' || entry.role === 'delivery') && entry.turn_id && entry.state !== 'not_delivered')
      turns.add(entry.turn_id);
  }
  for (const [turn, times] of ends) if (times > 1) say('turns', `${name}: ${turn} ended ${times} times`);
  for (const turn of turns) if (!ends.has(turn)) say('turns', `${name}: ${turn} has no end`);
  for (const [approval, times] of answers)
    if (times > 1) say('approvals', `${name}: ${approval} is recorded ${times} times`);
}

function checkBoard(posts, board, say) {
  for (const post of posts.values()) {
    const times = board.filter(({ message }) => message === post.marker).length;
    if (times > 1) say('board', `${post.id} is there ${times} times`);
    if (times === 0 && accepted(post).length > 0) say('board', `${post.id} was accepted and is gone`);
  }
}

function describeAttempt({ status, body, error }) {
  if (status === null) return `nothing (${error ?? 'no answer'})`;
  return status < 300
    ? `${status} ${body.outcome ?? ''}${body.state ? `/${body.state}` : ''}`
    : `${status} ${body.code ?? ''}`;
}

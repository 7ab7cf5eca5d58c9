/** One round: conversations, the steps of the plan with their faults, rest, one more message to each conversation, the laws. */
import { createActions, createRecord, threadOf } from './actions.mjs';
import { check } from './check.mjs';
import { observe, waitUntilQuiet } from './observe.mjs';
import { planRound } from './plan.mjs';

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
/** Safety limit for a round to come to rest: a hundred times what a quiet machine needs, so that load alone never reaches it. */
const QUIET_MS = 120_000;
/** For the server to reach the point at which it kills itself; then it is killed from outside. */
const KILL_AT_MS = 400;

export async function runRound({ seed, only, host, model, disk, counts }) {
  const plan = planRound(seed, only);
  const record = createRecord();
  const violations = [];
  const count = (name) => counts.set(name, (counts.get(name) ?? 0) + 1);

  await makeReady(host);
  const conversations = [];
  for (let at = 0; at < plan.conversations; at += 1) {
    const settings = { cwd: host.project, approval: 'untrusted', sandbox: 'read-only' };
    conversations.push({ id: (await host.must('POST', '/api/appserver/conversations', settings)).id, threadId: null });
  }
  const world = { host, model, conversations };
  await warmUp(world, plan);
  let codexPid = await host.codexPid();

  /** True if the fault did happen. */
  const strike = async ({ name, forMs }) => {
    switch (name) {
      case 'kill-server':
        await host.kill();
        return true;
      case 'stop':
        await host.stop();
        return true;
      case 'kill-codex':
        // Asking for the number first would take longer than the moment this is about.
        if (host.signal(codexPid, 'SIGKILL')) return true;
        codexPid = await host.codexPid().catch(() => null);
        return host.signal(codexPid, 'SIGKILL');
      case 'kill-pty-host':
        return host.signal(host.ptyHostPid(), 'SIGKILL');
      case 'pause-codex':
      case 'pause-server': {
        const pid = name === 'pause-codex' ? codexPid : host.pid();
        if (!host.signal(pid, 'SIGSTOP')) return false;
        setTimeout(() => host.signal(pid, 'SIGCONT'), forMs);
        return true;
      }
      default:
        await disk[name]();
        return true;
    }
  };
  const fault = async (step) => {
    if (await strike(step)) count(step.name);
  };

  const armed = plan.killAt === null ? null : await host.restartWith(plan.killAt);
  const actions = createActions({ host, record, conversations, fault });
  await actions.run(plan.steps);
  if (armed !== null) await endArmed(host, armed, count);
  await disk?.heal?.();
  await makeReady(host);

  const rest = async (when) => {
    const busy = await waitUntilQuiet({ ...world, timeoutMs: QUIET_MS });
    if (busy !== null) violations.push({ law: 'stuck', text: `${when}: ${busy}` });
    return busy === null;
  };
  let isQuiet = await rest('after the faults');
  // The final messages show the whole history to the model once more.
  await Promise.all(
    conversations.map(async (_one, at) => {
      const step = { id: `f-${plan.tag}-${at}`, marker: `[f-${plan.tag}-${at}]`, mode: 'send', conversation: at };
      const answer = await actions.message({ ...step, text: step.marker });
      if (answer.status !== 200)
        violations.push({ law: 'stuck', text: `a fresh message was answered ${JSON.stringify(answer)}` });
    }),
  );
  isQuiet = (await rest('after the final message')) && isQuiet;
  const seen = await observe({ ...world, tag: plan.tag });
  violations.push(...check(record, seen));
  if (isQuiet) violations.push(...checkFinal(plan, seen));
  for (const { threadId } of seen.conversations) if (threadId !== null) model.forget(threadId);
  return { plan, record, seen, violations };
}

/** A server is up and Codex is ready, whatever the round before did. */
async function makeReady(host) {
  await host.up();
  const { codex } = await host.must('GET', '/api/appserver/status');
  if (codex.state !== 'ready') await host.call('POST', '/api/appserver/start', {});
}

async function warmUp(world, plan) {
  const { host, conversations } = world;
  const warm = conversations.filter((_one, at) => plan.isWarm[at]);
  await Promise.all(
    warm.map(({ id }) => host.must('POST', '/api/appserver/messages', { conversation_id: id, text: 'warm up' })),
  );
  const busy = await waitUntilQuiet({ ...world, conversations: warm, timeoutMs: QUIET_MS });
  if (busy !== null) throw new Error(`the conversations could not be prepared: ${busy}`);
  for (const one of warm) one.threadId = await threadOf(host, one.id);
}

/** The armed server has killed itself, or is killed now; one that was started after it is left alone. */
async function endArmed(host, armed, count) {
  await Promise.race([armed.ended, sleep(KILL_AT_MS)]);
  count(armed.hasEnded ? 'kill-at (reached)' : 'kill-at (not reached)');
  if (!armed.hasEnded) await host.kill();
}

/** The last message of each conversation was answered by a turn that completed. */
function checkFinal(plan, seen) {
  return seen.conversations.flatMap((one, at) => {
    const end = one.entries.findLast(({ role }) => role === 'status');
    const isThere = one.newestInput.some((text) => text.includes(`[f-${plan.tag}-${at}]`));
    if (isThere && end?.turn_status === 'completed') return [];
    return [
      {
        law: 'stuck',
        text: `the final message of ${one.id}: ${isThere ? '' : 'not at the model, '}${end?.turn_status}`,
      },
    ];
  });
}

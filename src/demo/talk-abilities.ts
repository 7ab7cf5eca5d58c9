/** What the demo model does with words: plans, questions, thoughts, recitals, and telling what it was given. */
import { parseJson } from '../core/text/parse-json.ts';
import { tellGiven } from './given-context.ts';
import { isJsonObject, type ModelEvent } from './model-event.ts';
import { countImages, type Fragment, isPlanMode, listFragments } from './model-request.ts';
import { canAskUser, isToolOffered } from './offered-tools.ts';
import { LONG_SAMPLE, MARKDOWN_SAMPLE, PROPOSED_PLAN, THOUGHTS } from './sample-texts.ts';
import { conclude, inlineCode, lastOutcome, quoteOutput, remark, type Scene, stepOf } from './scene.ts';
import { callFunction } from './tool-call.ts';

const PLAN_STEPS = ['Look at what is asked', 'Do the work', 'Check the result'];
/** Between the steps of a plan, so that a reader sees it move. */
const PLAN_PAUSE_MS = 600;

export function playPlan(scene: Scene): ModelEvent[] {
  const { body } = scene;
  if (isPlanMode(body)) return [conclude(`Here is what I propose.\n\n${PROPOSED_PLAN}`)];
  if (!isToolOffered(body, 'update_plan')) {
    const steps = PLAN_STEPS.map((step, index) => `${index + 1}. ${step}`).join('\n');
    return [
      conclude(`Codex offers me no plan tool (\`tools.update_plan.enabled\`), so here it is in words:\n\n${steps}`),
    ];
  }
  const current = stepOf(scene);
  if (current > PLAN_STEPS.length) return [conclude('All three steps of the plan are done.')];
  const plan = PLAN_STEPS.map((step, index) => ({
    step,
    status: index < current ? 'completed' : index === current ? 'in_progress' : 'pending',
  }));
  const next = PLAN_STEPS[current];
  const words = next === undefined ? 'That was the last step.' : `Step ${current + 1} of 3: ${next.toLowerCase()}.`;
  return [
    ...(current === 0 ? [] : [{ sleepMs: PLAN_PAUSE_MS }]),
    remark(words),
    callFunction(body, { name: 'update_plan' }, { explanation: words, plan }),
  ];
}

export function playQuestion(scene: Scene): ModelEvent[] {
  const outcome = lastOutcome(scene);
  if (outcome !== undefined) return [conclude(reportAnswer(outcome.text))];
  if (!canAskUser(scene.body)) {
    return [conclude('Which do you like better: **steam** or **diesel**?\n\n(In plan mode I would ask with buttons.)')];
  }
  const options = [
    { label: 'Steam (Recommended)', description: 'Slow, loud and beautiful.' },
    { label: 'Diesel', description: 'Faster, and easier to start in winter.' },
  ];
  const questions = [{ id: 'engine', header: 'Engine', question: 'Which engine do you like better?', options }];
  // Offered beside `exec` even in code mode, so it is always called as it is.
  return [remark('I have a question.'), { call: 'request_user_input', args: { questions } }];
}

function reportAnswer(text: string): string {
  const result = parseJson(text);
  const given = isJsonObject(result) && isJsonObject(result.answers) ? result.answers.engine : undefined;
  const answers = isJsonObject(given) && Array.isArray(given.answers) ? given.answers.join(', ') : '';
  return answers === '' ? `No answer came:\n\n${quoteOutput(text)}` : `You answered: **${answers}**.`;
}

export function playThoughts(): ModelEvent[] {
  return [
    { think: THOUGHTS },
    conclude('I have thought about it, in four parts, as a script does: the same way every time.'),
  ];
}

export function playMarkdown(): ModelEvent[] {
  return [conclude(MARKDOWN_SAMPLE)];
}

export function playLong(): ModelEvent[] {
  return [{ say: LONG_SAMPLE, phase: 'final_answer', chunk: 8, delayMs: 40 }];
}

export function playFailure(): ModelEvent[] {
  // Of the codes there are, the one that Codex neither retries nor rewords.
  const message = 'The demo model failed on purpose, because you asked it to.';
  return [remark('Failing on purpose.'), { fail: { code: 'invalid_prompt', message } }];
}

export function playContext(scene: Scene): ModelEvent[] {
  const fragments = listFragments(scene.body);
  const images = countImages(scene.body);
  const sections = [
    renderSection(
      'With this message',
      fragments.filter((fragment) => fragment.isFresh),
    ),
    renderSection(
      'Earlier in this conversation',
      fragments.filter((fragment) => !fragment.isFresh),
    ),
    images > 0 ? `**Images**: ${images}` : '',
  ];
  const words = sections.filter((section) => section !== '').join('\n\n');
  return [
    conclude(words === '' ? 'I was given nothing besides your words.' : `Besides your words I was given:\n\n${words}`),
  ];
}

function renderSection(title: string, fragments: readonly Fragment[]): string {
  if (fragments.length === 0) return '';
  return `**${title}**\n\n${fragments.map((fragment) => `- ${renderFragment(fragment)}`).join('\n')}`;
}

/** What the user's side gave is quoted; standing instructions are long and always the same, so only named. */
function renderFragment({ role, tag, text }: Fragment): string {
  const given = tellGiven(tag, text);
  if (given !== undefined) return given;
  const cwd = tag === 'environment_context' ? /<cwd>([^<]*)<\/cwd>/.exec(text)?.[1] : undefined;
  if (cwd !== undefined) return `the environment: you are in ${inlineCode(cwd)}`;
  const isStanding = role === 'developer' && STANDING.test(tag);
  return isStanding
    ? `\`${tag}\` (${text.length} characters)`
    : `\`${tag}\` from the ${role}: ${inlineCode(text, 300)}`;
}

const STANDING = /^(?:instructions|\w+_instructions|\w+ instructions|collaboration_mode|multi_agent_\w+)$/;

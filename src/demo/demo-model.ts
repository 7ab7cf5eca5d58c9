/**
 * The demo model: a script that plays the part of a model, so that everything around it can be tried with no account. Pure:
 * the same request gets the same reply. It keeps nothing between requests; which step of a turn it has come to follows
 * from the tool outputs in the request.
 */

import { isMcp, playMcp } from './mcp-ability.ts';
import type { JsonObject, ModelEvent } from './model-event.ts';
import { assistantTexts, currentTurn, isReview, type TurnCause } from './model-request.ts';
import { conclude, inlineCode, quoteOutput, remark, type Scene } from './scene.ts';
import {
  playContext,
  playFailure,
  playLong,
  playMarkdown,
  playPlan,
  playQuestion,
  playThoughts,
} from './talk-abilities.ts';
import { isEscalate, isFileRequest, isRun, playEscalate, playFile, playRun } from './tool-abilities.ts';
import { callFunction, runningCell } from './tool-call.ts';

interface DemoIdea {
  readonly label: string;
  readonly prompt: string;
}

interface Ability {
  readonly idea: DemoIdea;
  readonly matches: (text: string) => boolean;
  readonly play: (scene: Scene) => ModelEvent[];
}

export const DEMO_NOTICE =
  "I am Signalbox's demo model: a small script on this computer, **not an AI**. Codex around me is real. Sign in to talk to a real model.";
/** Told by this phrase that the notice was given. */
const NOTICE_MARK = "Signalbox's demo model";
/** No ability needs more; a turn that goes on longer than this is going in circles. */
const MAX_STEPS = 8;

const says = (pattern: RegExp) => (text: string) => pattern.test(text);

/** In the order they are tried. */
const ABILITIES: readonly Ability[] = [
  { idea: { label: 'Run a command', prompt: 'Run `ls -la`' }, matches: isRun, play: playRun },
  { idea: { label: 'Create a file', prompt: 'Create hello.txt' }, matches: isFileRequest, play: playFile },
  {
    idea: { label: 'Ask for approval', prompt: 'Run `id -un` outside the sandbox' },
    matches: isEscalate,
    play: playEscalate,
  },
  {
    idea: { label: 'Show the context', prompt: 'What do you see?' },
    matches: says(/\bwhat (?:do|can|did) you see\b|\bwhat context\b/i),
    play: playContext,
  },
  {
    idea: { label: 'Answer a question', prompt: 'Ask me a question' },
    matches: says(/\bask me\b|\bquestion\b/i),
    play: playQuestion,
  },
  { idea: { label: 'Follow a plan', prompt: 'Make a plan' }, matches: says(/\bplan\b/i), play: playPlan },
  { idea: { label: 'Show reasoning', prompt: 'Think about it' }, matches: says(/\bthink\b/i), play: playThoughts },
  { idea: { label: 'Show Markdown', prompt: 'Show me Markdown' }, matches: says(/\bmarkdown\b/i), play: playMarkdown },
  {
    idea: { label: 'Stream a long answer', prompt: 'Give me a long answer' },
    matches: says(/(?<!\bhow )\blong\b/i),
    play: playLong,
  },
  { idea: { label: 'Call an MCP tool', prompt: 'Use MCP' }, matches: isMcp, play: playMcp },
  {
    idea: { label: 'Fail', prompt: 'Fail on purpose' },
    matches: says(/^\s*(?:please\s+)?fail\b|\bfail (?:now|on purpose|please)\b/i),
    play: playFailure,
  },
];

/** What to suggest to someone who does not know what to say; the first are the best. */
export const DEMO_IDEAS: readonly DemoIdea[] = ABILITIES.map((ability) => ability.idea);

export function planReply(request: { readonly body: JsonObject }): ModelEvent[] {
  const { body } = request;
  const { cause, outputs } = currentTurn(body);
  if (cause.kind === 'compaction') return [{ say: renderSummary(body) }];

  const last = outputs.at(-1);
  const cell = last === undefined ? undefined : runningCell(last);
  if (cell !== undefined) return [{ call: 'wait', args: { cell_id: cell, yield_time_ms: 60_000 } }];
  const finished = outputs.filter((output) => runningCell(output) === undefined);
  if (finished.length > MAX_STEPS) return [conclude('I seem to be going in circles, so I stop here.')];
  return withNotice(body, playCause(cause, { body, text: '', outputs: finished }));
}

function playCause(cause: TurnCause, scene: Scene): ModelEvent[] {
  switch (cause.kind) {
    case 'user': {
      if (isReview(scene.body)) return [conclude('A demo model has no opinion of your changes, so it found nothing.')];
      const ability = ABILITIES.find(({ matches }) => matches(cause.text));
      return ability === undefined ? playIntroduction() : ability.play({ ...scene, text: cause.text });
    }
    case 'event':
      return [conclude(`An event came in from ${inlineCode(cause.name)}:\n\n${quoteOutput(cause.text)}`)];
    case 'goal':
      return playGoal(scene);
    case 'summary':
      return [conclude('The conversation was compacted in the middle of this turn. Please ask again.')];
    case 'compaction':
    case 'nobody':
      return playIntroduction();
    default:
      return cause satisfies never;
  }
}

/** Codex starts one turn after another until the goal is settled; a script would go on forever. */
function playGoal(scene: Scene): ModelEvent[] {
  if (scene.outputs.length > 0) return [conclude('The goal is marked as complete, though nothing was done for it.')];
  return [
    remark('I cannot pursue a goal, so I mark it as complete.'),
    callFunction(scene.body, { name: 'update_goal' }, { status: 'complete' }),
  ];
}

function playIntroduction(): ModelEvent[] {
  const ideas = ABILITIES.map(({ idea }) => `- ${idea.label}: *${idea.prompt}*`).join('\n');
  return [
    { think: '**Looking for a keyword**\n\nNothing in the message is one that I know, so I say what I can do.' },
    conclude(`Hello! I understand only a few phrases. Try one of these:\n\n${ideas}`),
  ];
}

/** Until it stands in the conversation, each reply opens with it: an interrupted one may have been lost. */
function withNotice(body: JsonObject, events: readonly ModelEvent[]): ModelEvent[] {
  if (assistantTexts(body).some((text) => text.includes(NOTICE_MARK))) return [...events];
  const first = events.findIndex((event) => 'say' in event);
  if (first < 0) return [remark(DEMO_NOTICE), ...events];
  return events.map((event, index) =>
    index === first && 'say' in event ? { ...event, say: `${DEMO_NOTICE}\n\n${event.say}` } : event,
  );
}

function renderSummary(body: JsonObject): string {
  const answers = assistantTexts(body).length;
  return `Summary by ${NOTICE_MARK}, which cannot really summarize: ${answers} answers were given. Nothing remains to be done.`;
}

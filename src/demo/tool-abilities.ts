/** What the demo model does with its hands: commands and files. Each function plays the step that the turn has come to. */
import type { ModelEvent } from './model-event.ts';
import { conclude, inlineCode, lastOutcome, quoteOutput, remark, type Scene, stepOf } from './scene.ts';
import { callCommand, callPatch, type Outcome } from './tool-call.ts';

const ESCALATED_EXAMPLE = 'id -un && uname -sr';
const DEFAULT_FILE = 'signalbox-demo.txt';
const ADDED_LINE = 'A line from the demo model.';
const POLITE = String.raw`^\s*(?:please\s+|can you\s+|could you\s+)?`;

const RUN = new RegExp(String.raw`${POLITE}(?:run|execute)\b\s*:?\s*(.*)$`, 'is');
const ESCALATE = /\bescalate\b\s*:?\s*|(?<!\s)\s*\boutside (?:of )?(?:the |your |its )?sandbox\b[.!]*/i;

export const isEscalate = (text: string): boolean => ESCALATE.test(text);
export const isRun = (text: string): boolean => !isEscalate(text) && (RUN.test(text) || /\brun\s+`[^`]/i.test(text));

export function playRun(scene: Scene): ModelEvent[] {
  const command = parseCommand(scene.text);
  if (command === undefined) {
    return [conclude('I only run what you spell out. Try: run `ls -la`')];
  }
  const outcome = lastOutcome(scene);
  if (outcome !== undefined) return [conclude(reportRun(command, outcome))];
  return [remark(`Running ${inlineCode(command)}.`), callCommand(scene.body, { cmd: command })];
}

export function playEscalate(scene: Scene): ModelEvent[] {
  const command = parseCommand(scene.text.replace(ESCALATE, '')) ?? ESCALATED_EXAMPLE;
  const outcome = lastOutcome(scene);
  if (outcome !== undefined) return [conclude(reportRun(command, outcome))];
  return [
    remark(`Asking to run ${inlineCode(command)} outside the sandbox. You decide.`),
    callCommand(scene.body, {
      cmd: command,
      sandbox_permissions: 'require_escalated',
      justification: `May the demo model run ${command} outside the sandbox?`,
    }),
  ];
}

/** In a code block, in backticks, or all that follows `run`. A sentence such as "run the tests" is no command. */
export function parseCommand(text: string): string | undefined {
  const quoted = /```\w*\n(.+?)\n?```/s.exec(text)?.[1] ?? /`([^`]+)`/.exec(text)?.[1];
  const command = (quoted ?? RUN.exec(text)?.[1] ?? '').trim();
  const isSentence =
    quoted === undefined && /^(?:the|a|an|my|our|your|some|something|all|it|this|that)\b/i.test(command);
  return command === '' || isSentence ? undefined : command;
}

function reportRun(command: string, outcome: Outcome): string {
  const name = inlineCode(command);
  if (outcome.sessionId !== undefined) {
    return `${name} is still running in the background (session ${outcome.sessionId}). So far:\n\n${quoteOutput(outcome.text)}`;
  }
  if (outcome.exitCode === undefined) return `Codex did not run ${name}:\n\n${quoteOutput(outcome.text)}`;
  const verdict = outcome.exitCode === 0 ? 'It worked' : 'It failed';
  return `${verdict}: ${name} ended with exit code ${outcome.exitCode}. Its last lines:\n\n${quoteOutput(outcome.text)}`;
}

interface FileRequest {
  readonly verb: 'create' | 'edit';
  readonly name: string;
  readonly content: string | undefined;
}

const FILE_REQUEST = new RegExp(
  String.raw`${POLITE}(create|write|make|edit|change|append to|update)\s+(?:(?:a|an|the|new|text)\s+)*(file\b\s*)?(?:(?:called|named)\s+)?` +
    String.raw`(?:["'\`]([^"'\`\n]+)["'\`]|([\w./~+@-]*\w))?(?:\s*:\s*|\s+with\s+|\s+containing\s+)?(.*)$`,
  'is',
);

/** Undefined unless a file is named, or "file" is said. */
export function parseFileRequest(text: string): FileRequest | undefined {
  const [, verb, file, quoted, bare, content = ''] = FILE_REQUEST.exec(text) ?? [];
  if (verb === undefined) return undefined;
  const isNamed = quoted !== undefined || (bare !== undefined && (file !== undefined || /[./]/.test(bare)));
  if (!isNamed && file === undefined) return undefined;
  return {
    verb: /create|write|make/i.test(verb) ? 'create' : 'edit',
    name: quoted ?? bare ?? DEFAULT_FILE,
    content: content.trim() === '' ? undefined : content.trim(),
  };
}

export const isFileRequest = (text: string): boolean => parseFileRequest(text) !== undefined;

export function playFile(scene: Scene): ModelEvent[] {
  const request = parseFileRequest(scene.text) ?? { verb: 'edit', name: DEFAULT_FILE, content: undefined };
  return request.verb === 'create' ? playCreate(scene, request) : playEdit(scene, request);
}

/** Looks first: adding a file that is there would overwrite it. */
function playCreate(scene: Scene, { name, content }: FileRequest): ModelEvent[] {
  const outcome = lastOutcome(scene);
  if (outcome === undefined) {
    const cmd = `test ! -e '${name.replaceAll("'", String.raw`'\''`)}'`;
    return [remark(`First a look whether ${inlineCode(name)} is already there.`), callCommand(scene.body, { cmd })];
  }
  if (stepOf(scene) > 1) return [conclude(reportPatch(name, outcome))];
  if (outcome.exitCode === 0) {
    return [
      remark(`It is not, so I create it.`),
      callPatch(scene.body, renderAdd(name, content ?? `Hello from the demo model.\n${ADDED_LINE}`)),
    ];
  }
  if (outcome.exitCode === 1) {
    return [conclude(`${inlineCode(name)} already exists, so I left it alone. To add a line to it, say: edit ${name}`)];
  }
  return [conclude(`I could not look whether ${inlineCode(name)} exists:\n\n${quoteOutput(outcome.text)}`)];
}

function playEdit(scene: Scene, { name, content }: FileRequest): ModelEvent[] {
  const outcome = lastOutcome(scene);
  const added = content ?? ADDED_LINE;
  if (outcome === undefined) {
    return [remark(`Adding to ${inlineCode(name)}.`), callPatch(scene.body, renderAppend(name, added))];
  }
  const isMissing = !outcome.hasRun && /failed to read file|no such file/i.test(outcome.text);
  if (isMissing && stepOf(scene) === 1) {
    return [
      remark(`${inlineCode(name)} does not exist yet, so I create it.`),
      callPatch(scene.body, renderAdd(name, added)),
    ];
  }
  return [conclude(reportPatch(name, outcome))];
}

const plusLines = (text: string): string => text.replace(/^/gm, '+');
const renderAdd = (name: string, content: string): string =>
  `*** Begin Patch\n*** Add File: ${name}\n${plusLines(content)}\n*** End Patch`;
/** A hunk without context goes to the end of the file. */
const renderAppend = (name: string, content: string): string =>
  `*** Begin Patch\n*** Update File: ${name}\n@@\n${plusLines(content)}\n*** End Patch`;

function reportPatch(name: string, outcome: Outcome): string {
  const isDone = outcome.hasRun && (outcome.exitCode ?? 0) === 0;
  if (isDone) return `Done: ${inlineCode(name)} is changed. The diff is above.`;
  return `Codex did not change ${inlineCode(name)}:\n\n${quoteOutput(outcome.text)}`;
}

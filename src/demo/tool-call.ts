/** How the demo model calls a tool and reads what came back, the same in both of Codex's styles: direct calls and code mode. */
import { parseJson } from '../core/text/parse-json.ts';
import { isJsonObject, isString, type JsonObject, type ModelEvent } from './model-event.ts';
import type { ToolOutput } from './model-request.ts';
import { isCodeMode, type OfferedTool } from './offered-tools.ts';

export interface Outcome {
  /** False when Codex did not carry out the call: refused, declined, or wrong. Then `text` says why. */
  readonly hasRun: boolean;
  readonly exitCode: number | undefined;
  /** Of a command that still runs. */
  readonly sessionId: string | undefined;
  readonly text: string;
}

/** Waits longer than anyone lets an approval wait: a script that yields must be asked for again. */
const EXEC_PRAGMA = '// @exec: {"yield_time_ms": 600000}';

export function callFunction(body: JsonObject, tool: OfferedTool, args: JsonObject): ModelEvent {
  if (isCodeMode(body))
    return callScript(`text(await tools[${JSON.stringify(flatName(tool))}](${JSON.stringify(args)}))`);
  const namespace = tool.namespace === undefined ? {} : { namespace: tool.namespace };
  return { call: tool.name, args, ...namespace };
}

export function callCommand(body: JsonObject, args: JsonObject & { readonly cmd: string }): ModelEvent {
  return callFunction(body, { name: 'exec_command' }, { login: false, ...args });
}

export function callPatch(body: JsonObject, patch: string): ModelEvent {
  if (isCodeMode(body)) return callScript(`text(await tools.apply_patch(${JSON.stringify(patch)}))`);
  return { custom: 'apply_patch', input: patch, isStreamed: true, chunk: 24 };
}

/** For code mode only. */
export function callScript(script: string): ModelEvent {
  return { custom: 'exec', input: `${EXEC_PRAGMA}\n${script}` };
}

export const flatName = (tool: OfferedTool): string =>
  tool.namespace === undefined ? tool.name : `${tool.namespace}__${tool.name}`;

/** Id of the script that an output says is still running; it must be waited for before anything else. */
export function runningCell(output: ToolOutput): string | undefined {
  return /^Script running with cell ID (\S+)/.exec(output.text)?.[1];
}

export function readOutcome(output: ToolOutput): Outcome {
  const script = /^Script (completed|failed)\n.*?\nOutput:\n\s*(.*)$/s.exec(output.text);
  if (script !== null) return readScriptOutcome(script[1] === 'completed', script[2] ?? '');

  const [, header = '', body] = /^((?:Chunk ID|Wall time|Exit code).*?)^Output:\n?(.*)$/ms.exec(output.text) ?? [];
  const exitCode = /^(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(header)?.[1];
  return {
    hasRun: body !== undefined,
    exitCode: exitCode === undefined ? undefined : Number(exitCode),
    sessionId: /^Process running with session ID (\d+)$/m.exec(header)?.[1],
    text: body ?? output.text,
  };
}

function readScriptOutcome(isCompleted: boolean, printed: string): Outcome {
  if (!isCompleted) {
    return { hasRun: false, exitCode: undefined, sessionId: undefined, text: printed.replace(/^Script error:\n/, '') };
  }
  const result = parseJson(printed);
  const content = isJsonObject(result) && Array.isArray(result.content) ? result.content : undefined;
  if (content !== undefined) {
    const texts = content.flatMap((part: unknown) => (isJsonObject(part) && isString(part.text) ? [part.text] : []));
    return { hasRun: true, exitCode: undefined, sessionId: undefined, text: texts.join('\n') };
  }
  if (!isJsonObject(result)) return { hasRun: true, exitCode: undefined, sessionId: undefined, text: printed };
  return {
    hasRun: true,
    exitCode: typeof result.exit_code === 'number' ? result.exit_code : undefined,
    sessionId: result.session_id === undefined ? undefined : String(result.session_id),
    text: isString(result.output) ? result.output : '',
  };
}

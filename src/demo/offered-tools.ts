/** Which tools Codex offers the model in a request, wherever it lists them, and whether they are called from code mode. */
import { isString, type JsonObject } from './model-event.ts';
import { inputItems, isPlanMode, listFragments, objects } from './model-request.ts';

export interface OfferedTool {
  readonly name: string;
  readonly namespace?: string;
  /** JSON schema of the arguments, where known. */
  readonly parameters?: unknown;
}

/** In code mode the model writes JavaScript into `exec`, and every other tool is called from there. */
export function isCodeMode(body: JsonObject): boolean {
  return execDescription(body) !== undefined;
}

/** Tools that may be called as they are; in code mode those inside `exec` come with their flat names. */
export function offeredTools(body: JsonObject): readonly OfferedTool[] {
  const found = inputItems(body).filter((item) => item.type === 'tool_search_output');
  const listed = [...objects(body.tools), ...additionalTools(body), ...found.flatMap((item) => objects(item.tools))];
  const nested = [...(execDescription(body) ?? '').matchAll(/^### `([^`]+)`/gm)].flatMap(([, name]) => name ?? []);
  return [...readTools(listed), ...nested.map((name) => ({ name }))];
}

export function isToolOffered(body: JsonObject, name: string): boolean {
  return offeredTools(body).some((tool) => tool.name === name);
}

/** The tool is always listed, but Codex takes it only in plan mode. */
export function canAskUser(body: JsonObject): boolean {
  return isPlanMode(body) && isToolOffered(body, 'request_user_input');
}

/** Sources whose tools must be searched for first (`tool_search`); undefined when there is no such search. */
export function searchableSources(body: JsonObject): readonly string[] | undefined {
  const search = objects(body.tools).find((tool) => tool.type === 'tool_search');
  if (search === undefined || !isString(search.description)) return undefined;
  // Codex 0.169 names them to the developer, older versions in the description of the search.
  const list = listFragments(body).findLast((one) => one.tag === 'tools')?.text ?? search.description;
  const sources = /(?:following sources|Deferred tool namespaces):\n((?:- .*\n?)+)/.exec(list)?.[1] ?? '';
  return [...sources.matchAll(/^- ([^:\n]+)/gm)].flatMap(([, source]) => source?.trim() ?? []);
}

function additionalTools(body: JsonObject): readonly JsonObject[] {
  return inputItems(body)
    .filter((item) => item.type === 'additional_tools')
    .flatMap((item) => objects(item.tools));
}

function execDescription(body: JsonObject): string | undefined {
  const exec = additionalTools(body)
    .flatMap((tool) => [tool, ...objects(tool.tools)])
    .find((tool) => tool.type === 'custom' && tool.name === 'exec');
  return exec === undefined ? undefined : String(exec.description ?? '');
}

/** The namespace `functions` is only how the list is written: its tools are called by their bare names. */
function readTools(tools: readonly JsonObject[], namespace?: string): readonly OfferedTool[] {
  return tools.flatMap((tool): readonly OfferedTool[] => {
    if (!isString(tool.name)) return [];
    if (tool.type === 'namespace') {
      return readTools(objects(tool.tools), tool.name === 'functions' ? undefined : tool.name);
    }
    const within = namespace === undefined ? {} : { namespace };
    return [{ name: tool.name, ...within, parameters: tool.parameters }];
  });
}

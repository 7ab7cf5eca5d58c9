/** The demo model's use of MCP and client tools: finds one that is offered, calls it with plausible arguments, reports. */
import { parseJson } from '../core/text/parse-json.ts';
import { isJsonObject, isString, type JsonObject, type ModelEvent } from './model-event.ts';
import { inputItems } from './model-request.ts';
import { isCodeMode, type OfferedTool, offeredTools, searchableSources } from './offered-tools.ts';
import { conclude, inlineCode, lastOutcome, quoteOutput, remark, type Scene } from './scene.ts';
import { callFunction, callScript, flatName, readOutcome } from './tool-call.ts';

const NAMED_TOOL =
  /^\s*(?:please\s+)?(?:use\s+|call\s+)?(?:the\s+)?(?:mcp\s+)?tool\s+[`"']?([\w.-]+)[`"']?\s*(\{.*\})?/is;
/** Printed by our own script in code mode, where tools are not listed but must be looked up. */
const LISTED = 'MCP tools: ';
/** Multi-agent tools are searchable too, but no server stands behind them. */
const NOT_A_SERVER = /^Multi-agent|^multi_agent/;

export const isMcp = (text: string): boolean => NAMED_TOOL.test(text) || /\bmcp\b/i.test(text);

export function playMcp(scene: Scene): ModelEvent[] {
  const { body } = scene;
  const [, wanted, givenArgs] = NAMED_TOOL.exec(scene.text) ?? [];
  const last = scene.outputs.at(-1);
  const listed = scene.outputs.flatMap((output) => parseListed(readOutcome(output).text));
  const wasDiscovery = last?.type === 'tool_search_output' || (last !== undefined && isListing(readOutcome(last).text));
  const outcome = lastOutcome(scene);
  if (outcome !== undefined && !wasDiscovery) {
    const verdict = outcome.hasRun ? 'The tool answered' : 'Codex did not call the tool';
    return [conclude(`${verdict}:\n\n${quoteOutput(outcome.text)}`)];
  }

  const tools = [...offeredTools(body), ...listed];
  const tool = chooseTool(tools, wanted);
  if (tool !== undefined) {
    const args = parseJson(givenArgs ?? '');
    return [
      remark(`Calling ${inlineCode(flatName(tool))}.`),
      callFunction(body, tool, isJsonObject(args) ? args : fillArguments(tool.parameters)),
    ];
  }
  return (wasDiscovery ? undefined : discover(body, wanted)) ?? [conclude(reportNone(tools, wanted))];
}

/** How to learn of tools that are not listed in the request. */
function discover(body: JsonObject, wanted: string | undefined): ModelEvent[] | undefined {
  if (isCodeMode(body)) {
    const names = `ALL_TOOLS.map((tool) => tool.name).filter((name) => name.startsWith('mcp__'))`;
    return [remark('Looking for tools.'), callScript(`text(${JSON.stringify(LISTED)} + JSON.stringify(${names}))`)];
  }
  const servers = searchableSources(body)?.filter((source) => !NOT_A_SERVER.test(source)) ?? [];
  if (servers.length === 0) return undefined;
  // The words of a name: `mcp__tiny` is found as `tiny`.
  const query = (wanted ?? servers.join(' ').replaceAll('mcp__', '')).replace(/[_.-]+/g, ' ');
  // Unlike any other call it has no event of its own; the id only has to differ within the conversation.
  const call_id = `search_${inputItems(body).length}`;
  const search = { type: 'tool_search_call', call_id, execution: 'client', status: 'completed', arguments: { query } };
  return [remark('Looking for tools.'), { rawItem: search }];
}

const isListing = (text: string): boolean => text.startsWith(LISTED);

function parseListed(text: string): readonly OfferedTool[] {
  const names = isListing(text) ? parseJson(text.slice(LISTED.length)) : undefined;
  return Array.isArray(names) ? names.filter(isString).map((name) => ({ name })) : [];
}

/** Unasked, only a tool whose name sounds like reading: others may change things. */
function chooseTool(tools: readonly OfferedTool[], wanted: string | undefined): OfferedTool | undefined {
  if (wanted !== undefined) {
    return tools.find((tool) => tool.name === wanted || flatName(tool) === wanted || tool.name.endsWith(`__${wanted}`));
  }
  return mcpTools(tools).find((tool) =>
    /(?:^|_)(?:list|get|read|show|status|find|search|echo|ping|time)/i.test(tool.name),
  );
}

const mcpTools = (tools: readonly OfferedTool[]): readonly OfferedTool[] =>
  tools.filter((tool) => flatName(tool).startsWith('mcp__'));

function reportNone(tools: readonly OfferedTool[], wanted: string | undefined): string {
  const names = [...new Set(mcpTools(tools).map(flatName))];
  if (names.length === 0) return 'No MCP tool is offered to me in this conversation.';
  const missing = wanted === undefined ? 'Which one shall I call?' : `There is no tool ${inlineCode(wanted)}.`;
  const list = names.map((name) => `- ${inlineCode(name)}`).join('\n');
  return `${missing} These are offered:\n\n${list}\n\nSay, for example: tool ${names[0]} {}`;
}

/** The least that a schema asks for. */
function fillArguments(schema: unknown): JsonObject {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties) || !Array.isArray(schema.required)) return {};
  const { properties } = schema;
  return Object.fromEntries(schema.required.filter(isString).map((name) => [name, exampleOf(properties[name])]));
}

function exampleOf(schema: unknown): unknown {
  if (!isJsonObject(schema)) return 'demo';
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  switch (schema.type) {
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return fillArguments(schema);
    default:
      return 'demo';
  }
}

/** The parsed files of a `.codex` folder → what each would run or change, one finding each. Pure. */
import type { Finding } from '../../contract/trust.ts';
import { isRecord } from '../text/is-record.ts';
import { commandLine, finding, shown } from './words.ts';

/** The name our own tools have in Codex. */
const OWN_SERVER = 'signalbox';
/** Nobody reads more; the last one says how many are missing. */
const MAX_FINDINGS = 100;

/** Key of config.toml → kind and sentence. A key that is not here is listed by its name. */
const KNOWN_KEYS: Readonly<Record<string, readonly [Finding['kind'], string]>> = {
  sandbox_mode: ['sandbox', 'Changes what commands may touch'],
  sandbox_workspace_write: ['sandbox', 'Changes what sandboxed commands may write or reach'],
  default_permissions: ['sandbox', 'Changes what commands may touch'],
  permissions: ['sandbox', 'Defines what commands may touch'],
  approval_policy: ['approval', 'Changes when Codex asks you'],
  approvals_reviewer: ['approval', 'Changes who answers instead of you'],
  auto_review: ['approval', 'Changes who answers instead of you'],
  shell_environment_policy: ['environment', 'Changes the environment of commands'],
  instructions: ['instructions', 'Gives the model instructions'],
  developer_instructions: ['instructions', 'Gives the model instructions'],
  model_instructions_file: ['instructions', 'Gives the model instructions from a file'],
  experimental_instructions_file: ['instructions', 'Gives the model instructions from a file'],
  compact_prompt: ['instructions', 'Changes how the history is summarized'],
  agents: ['agent', 'Defines agents'],
  notify: ['program', 'Runs a program after each turn'],
  model_provider: ['other', 'Sends the conversation to another model provider'],
  model_providers: ['other', 'Defines where the conversation is sent'],
  openai_base_url: ['other', 'Changes where the conversation is sent'],
  chatgpt_base_url: ['other', 'Changes where the conversation is sent'],
};

export function configFindings(file: string, value: unknown): readonly Finding[] {
  if (!isRecord(value)) return [finding('unreadable', file, 'Cannot be checked', 'it is not a table')];
  const { mcp_servers: servers, hooks, ...rest } = value;
  const named = Object.entries(rest).flatMap(([key, one]) => {
    const known = Object.hasOwn(KNOWN_KEYS, key) ? KNOWN_KEYS[key] : undefined;
    return known === undefined ? [] : [finding(known[0], file, known[1], `${key} = ${shown(one)}`)];
  });
  const others = Object.keys(rest).filter((key) => !Object.hasOwn(KNOWN_KEYS, key));
  return bounded(file, [
    ...serverFindings(file, servers),
    ...hookFindings(file, hooks),
    ...named,
    ...(others.length === 0 ? [] : [finding('other', file, 'Other settings', others.join(', '))]),
  ]);
}

function serverFindings(file: string, servers: unknown): readonly Finding[] {
  if (servers === undefined) return [];
  if (!isRecord(servers)) return [finding('unreadable', file, 'Cannot be checked', 'mcp_servers is not a table')];
  return Object.entries(servers).map(([name, server]) => {
    if (name === OWN_SERVER)
      return finding('own_server', file, "Changes Signalbox's own tools", `mcp_servers.${name} = ${shown(server)}`);
    if (!isRecord(server)) return finding('mcp_server', file, `Changes the MCP server ${name}`, shown(server));
    const { command, args, url, ...rest } = server;
    const more = Object.keys(rest).length === 0 ? '' : `   (${shown(rest)})`;
    if (command !== undefined)
      return finding(
        'mcp_server',
        file,
        `Runs the MCP server ${name}, outside the sandbox`,
        `${commandLine(command, args)}${more}`,
      );
    if (url !== undefined)
      return finding('mcp_server', file, `Connects to the MCP server ${name}`, `${shown(url)}${more}`);
    return finding('mcp_server', file, `Changes the MCP server ${name}`, shown(server));
  });
}

export function hookFileFindings(file: string, value: unknown): readonly Finding[] {
  const hooks = isRecord(value) && 'hooks' in value ? value.hooks : value;
  return bounded(file, hookFindings(file, hooks));
}

/** `{ Event: [{ matcher, hooks: [{ type: "command", command }] }] }`; whatever has another form is shown as it is. */
function hookFindings(file: string, hooks: unknown): readonly Finding[] {
  if (hooks === undefined || hooks === null) return [];
  if (!isRecord(hooks)) return [finding('hook', file, 'Defines hooks', shown(hooks))];
  return Object.entries(hooks).flatMap(([event, groups]) => {
    const list = Array.isArray(groups) ? groups : [groups];
    return list.flatMap((group: unknown) => {
      const single = isRecord(group) && Array.isArray(group.hooks) ? group.hooks : [group];
      return single.map((hook: unknown) =>
        finding(
          'hook',
          file,
          `Runs a hook at ${event}`,
          isRecord(hook) && 'command' in hook ? shown(hook.command) : shown(hook),
        ),
      );
    });
  });
}

export function ruleFindings(file: string, text: string): readonly Finding[] {
  const lines = text.split('\n').map((line) => line.trim());
  const rules = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return rules.length === 0
    ? []
    : [finding('rules', file, 'Rules: which commands run without asking or outside the sandbox', rules.join('  '))];
}

export function agentFindings(file: string, value: unknown): readonly Finding[] {
  if (!isRecord(value)) return [finding('unreadable', file, 'Cannot be checked', 'it is not a table')];
  if (Object.keys(value).length === 0) return [];
  return bounded(file, [
    finding('agent', file, 'Defines an agent', shown(value)),
    ...serverFindings(file, value.mcp_servers),
  ]);
}

function bounded(file: string, findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= MAX_FINDINGS) return findings;
  const left = findings.length - MAX_FINDINGS;
  const rest = finding('unreadable', file, 'Cannot be checked', `it has ${left} more settings than can be shown`);
  return [...findings.slice(0, MAX_FINDINGS), rest];
}

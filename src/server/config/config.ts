/** Settings: defaults < `config.toml` < environment < `-c key=value` < flags. A wrong one is refused by name, and by line where it has one. */
import { readFileSync, statSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import { Config } from '../../contract/config.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { describeIssue } from '../../core/text/describe-issue.ts';
import { errorCode } from '../../node/atomic-file.ts';
import { configFile, expand, nonEmpty, signalboxHome } from '../../node/places.ts';
import { warningsOf } from './config-warnings.ts';
import { lineOfKey } from './toml-line.ts';

/** As the command line gives them; what is absent was not said. */
export interface SettingsFlags {
  readonly port?: string;
  readonly host?: string;
  readonly home?: string;
  readonly codexBin?: string;
  readonly codexHome?: string;
  readonly transport?: string;
  readonly demo?: boolean;
  /** Only `false` (`--no-open`) says something. */
  readonly open?: boolean;
  readonly debug?: boolean;
  /** Each `-c`, in order. */
  readonly overrides?: readonly string[];
}

export interface Settings {
  readonly config: Config;
  readonly home: string;
  readonly codexHome: string;
  readonly warnings: readonly string[];
}

type Tree = Readonly<Record<string, unknown>>;

/** One value, and who said it: `SIGNALBOX_PORT`, `--port`, `-c server.port`. */
interface Assignment {
  readonly key: readonly string[];
  readonly value: unknown;
  readonly source: string;
}

export function loadSettings(given: {
  readonly flags: SettingsFlags;
  readonly env: NodeJS.ProcessEnv;
}): Result<Settings> {
  const { flags, env } = given;
  const file = configFile(env);
  const fromFile = readConfigFile(file);
  if (!fromFile.ok) return fromFile;
  const overrides = parseOverrides(flags.overrides ?? []);
  if (!overrides.ok) return overrides;
  const said = [...fromEnvironment(env), ...overrides.value, ...fromFlags(flags)];
  const tree = said.reduce<Tree>((whole, one) => assign(whole, one.key, one.value), fromFile.value);
  const checked = check(tree, (key) => `${said.findLast((one) => isPrefix(one.key, key))?.source ?? file}`);
  if (!checked.ok) return checked;
  const config = withPaths(checked.value, env);
  const codexHome = expand(config.codex.home ?? '~/.codex', env);
  return ok({
    config,
    home: signalboxHome(nonEmpty(flags.home), env),
    codexHome,
    warnings: warningsOf(config, env),
  });
}

/** What editors check `config.toml` with. */
export function configJsonSchema(): Record<string, unknown> {
  return { ...Config.toJSONSchema({ io: 'input', unrepresentable: 'any' }) };
}

function readConfigFile(file: string): Result<Tree> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
    // It names programs that we start.
    if ((statSync(file).mode & 0o002) !== 0)
      return fail('invalid_request', `${file} can be changed by every user of this machine: chmod o-w it`, { file });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return ok({});
    return fail('invalid_request', `${file} cannot be read: ${errorCode(error)}`, { file });
  }
  const tree = parseToml(file, text);
  if (!tree.ok) return tree;
  const flat = flattenCodexConfig(tree.value);
  // Checked alone first: what is wrong in the file is told even where a flag would hide it.
  const checked = check(flat, (key) => `${file}:${lineOfKey(text, key) ?? 1}`);
  return checked.ok ? ok(flat) : checked;
}

function parseToml(file: string, text: string): Result<Tree> {
  try {
    return ok(parse(text, { unsafeKeyBehaviour: 'throw' }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [message = ''] = error.message.replace('Invalid TOML document: ', '').split('\n');
    return fail('invalid_request', `${file}:${error.line}: not TOML: ${message}`, { file, line: error.line });
  }
}

/** `nameSource` says where the value of a key came from. */
function check(tree: Tree, nameSource: (key: readonly string[]) => string): Result<Config> {
  const parsed = Config.safeParse(tree);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  const path = issue?.path.map(String) ?? [];
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const key = unknown === undefined ? path : [...path, unknown];
  const problem = unknown === undefined ? describeIssue(issue && { ...issue, path: [] }) : 'there is no such setting';
  const source = nameSource(key);
  return fail('invalid_request', `${source}: ${key.join('.')}: ${problem}`, { source, key: key.join('.') });
}

const VARIABLES: readonly (readonly [name: string, key: readonly string[], read: (text: string) => unknown])[] = [
  ['SIGNALBOX_HOST', ['server', 'host'], String],
  ['SIGNALBOX_PORT', ['server', 'port'], asNumber],
  ['SIGNALBOX_OPEN', ['server', 'open'], asBoolean],
  ['SIGNALBOX_CODEX_BIN', ['codex', 'command'], String],
  ['SIGNALBOX_TRANSPORT', ['codex', 'transport'], String],
  ['CODEX_HOME', ['codex', 'home'], String],
  ['SIGNALBOX_DEMO', ['demo', 'model'], asDemo],
  ['SIGNALBOX_DEMO_DELAY_MS', ['demo', 'delay_ms'], asNumber],
  ['FRAMEWORK_SHELLS_CREATE_SECRET', ['shells', 'create_secret'], asBoolean],
  ['SIGNALBOX_DEBUG', ['debug', 'enabled'], asBoolean],
  ['SIGNALBOX_LOG_LEVEL', ['log', 'level'], String],
];

/** An empty variable says nothing, as for most programs. */
function fromEnvironment(env: NodeJS.ProcessEnv): Assignment[] {
  return VARIABLES.flatMap(([name, key, read]) => {
    const text = nonEmpty(env[name]);
    return text === undefined ? [] : [{ key, value: read(text), source: name }];
  });
}

function fromFlags(flags: SettingsFlags): Assignment[] {
  const port = flags.port === undefined ? undefined : asNumber(flags.port);
  const all: Assignment[] = [
    { key: ['server', 'port'], value: port, source: '--port' },
    { key: ['server', 'host'], value: flags.host, source: '--host' },
    { key: ['server', 'open'], value: flags.open === false ? false : undefined, source: '--no-open' },
    { key: ['codex', 'command'], value: flags.codexBin, source: '--codex-bin' },
    { key: ['codex', 'home'], value: flags.codexHome, source: '--codex-home' },
    { key: ['codex', 'transport'], value: flags.transport, source: '--transport' },
    { key: ['demo', 'model'], value: flags.demo === true ? 'always' : undefined, source: '--demo' },
    { key: ['debug', 'enabled'], value: flags.debug === true ? true : undefined, source: '--debug' },
    { key: ['log', 'level'], value: flags.debug === true ? 'debug' : undefined, source: '--debug' },
  ];
  return all.filter((one) => one.value !== undefined);
}

/** As Codex reads its own `-c`: the value is TOML, or else the text as it is, less quotes around it. */
function parseOverrides(texts: readonly string[]): Result<Assignment[]> {
  const all: Assignment[] = [];
  for (const text of texts) {
    const at = text.indexOf('=');
    const key = text.slice(0, Math.max(0, at)).trim();
    if (key === '') return fail('invalid_request', `-c ${text}: expected key=value`, { source: '-c' });
    const path = keyPath(key);
    if (path.some((part) => part === '' || part === '__proto__'))
      return fail('invalid_request', `-c ${text}: ${key} is not the name of a setting`, { source: '-c', key });
    all.push({ key: path, value: parseValue(text.slice(at + 1).trim()), source: `-c ${key}` });
  }
  return ok(all);
}

function parseValue(text: string): unknown {
  try {
    // A line break would let a value bring keys of its own.
    if (!text.includes('\n')) return parse(`value = ${text}`).value;
  } catch {
    // Not TOML: a bare word.
  }
  return text.replace(/^["']+|["']+$/g, '');
}

/** Codex's own settings have dotted names, which are one key of `codex.config`. */
function keyPath(key: string): string[] {
  const parts = key.split('.').map((part) => part.trim());
  return parts[0] === 'codex' && parts[1] === 'config' && parts.length > 3
    ? ['codex', 'config', parts.slice(2).join('.')]
    : parts;
}

/** In a file `model_providers.x.base_url = "…"` below `[codex.config]` is a tree; Codex is given it as one dotted key. */
function flattenCodexConfig(tree: Tree): Tree {
  const { codex } = tree;
  if (!isTree(codex) || !isTree(codex.config)) return tree;
  return { ...tree, codex: { ...codex, config: Object.fromEntries(leaves(codex.config, '')) } };
}

function leaves(tree: Tree, prefix: string): [string, unknown][] {
  return Object.entries(tree).flatMap(([key, value]): [string, unknown][] =>
    isTree(value) ? leaves(value, `${prefix}${key}.`) : [[`${prefix}${key}`, value]],
  );
}

function assign(tree: Tree, key: readonly string[], value: unknown): Tree {
  const [first, ...rest] = key;
  if (first === undefined) return tree;
  const inner = Object.hasOwn(tree, first) ? tree[first] : undefined;
  return { ...tree, [first]: rest.length === 0 ? value : assign(isTree(inner) ? inner : {}, rest, value) };
}

/** A TOML date is an object as well. */
function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Either key holds the other: a whole table may be wrong, or a part of what was given as one. */
function isPrefix(one: readonly string[], other: readonly string[]): boolean {
  return one.slice(0, other.length).every((part, index) => part === other[index]);
}

function withPaths(config: Config, env: NodeJS.ProcessEnv): Config {
  const { command } = config.codex;
  if (command?.startsWith('~/') !== true) return config;
  return { ...config, codex: { ...config.codex, command: expand(command, env) } };
}

function asNumber(text: string): unknown {
  return /^\d+$/.test(text) ? Number(text) : text;
}

function asBoolean(text: string): unknown {
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  return /^(0|false|no|off)$/i.test(text) ? false : text;
}

function asDemo(text: string): unknown {
  const word = asBoolean(text);
  return typeof word === 'boolean' ? (word ? 'always' : 'never') : text;
}

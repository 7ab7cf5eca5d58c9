/** Settings: who wins, and how a wrong one is refused. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configJsonSchema, loadSettings, type SettingsFlags } from './config.ts';

let folder = '';
let env: NodeJS.ProcessEnv = {};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-config-'));
  env = { HOME: '/home/me', XDG_CONFIG_HOME: folder };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => join(folder, 'signalbox', 'config.toml');
function write(text: string): void {
  mkdirSync(join(folder, 'signalbox'), { recursive: true });
  writeFileSync(file(), text, { mode: 0o600 });
}
function load(flags: SettingsFlags = {}, more: NodeJS.ProcessEnv = {}) {
  const settings = loadSettings({ flags, env: { ...env, ...more } });
  if (!settings.ok) throw new Error(settings.error.message);
  return settings.value;
}
function refusal(flags: SettingsFlags = {}, more: NodeJS.ProcessEnv = {}): string {
  const settings = loadSettings({ flags, env: { ...env, ...more } });
  if (settings.ok) throw new Error('accepted');
  expect(settings.error.code).toBe('invalid_request');
  return settings.error.message;
}

test('[CL1] without anything said, everything has its default', () => {
  expect(load()).toEqual({
    home: '/home/me/.local/share/signalbox',
    codexHome: '/home/me/.codex',
    warnings: [],
    config: {
      server: { host: '127.0.0.1', port: 12_359, open: true },
      access: { server_token_scopes: ['read', 'operate', 'run'] },
      codex: { transport: 'unix', config: {} },
      demo: { model: 'auto', delay_ms: 15 },
      conversations: { approval: 'on-request', sandbox: 'workspace-write', command_output_lines: 20 },
      external_events: {
        enabled: true,
        default_delivery: 'queue_for_next_turn',
        on_duplicate: 'reject',
        adapters: [],
        allow_sources: [],
        max_hops: 3,
        burst: 20_000,
        rate_per_second: 500,
        retain_events: 1_000,
        retain_days: 7,
        max_ledger_mb: 64,
        max_total_ledger_mb: 512,
        sources: [],
        rules: [],
      },
      shells: { create_secret: true },
      terminal: { output_head_bytes: 262_144, output_tail_bytes: 1_048_576 },
      notify: {},
      debug: { enabled: false },
      log: { level: 'info' },
    },
  });
});

test('[CL1] each source outdoes the one before it', () => {
  const port = (flags: SettingsFlags, more: NodeJS.ProcessEnv = {}) => load(flags, more).config.server.port;
  write('[server]\nport = 1001\n');
  expect(port({})).toBe(1001);
  expect(port({}, { SIGNALBOX_PORT: '1002' })).toBe(1002);
  expect(port({ overrides: ['server.port=1003'] }, { SIGNALBOX_PORT: '1002' })).toBe(1003);
  expect(port({ port: '1004', overrides: ['server.port=1003'] }, { SIGNALBOX_PORT: '1002' })).toBe(1004);
  expect(port({}, { SIGNALBOX_PORT: '' })).toBe(1001);
});

test('[CL1] the directories follow the same order', () => {
  write('[codex]\nhome = "~/file"\ncommand = "~/bin/codex"\n');
  expect(load().codexHome).toBe('/home/me/file');
  expect(load().config.codex.command).toBe('/home/me/bin/codex');
  expect(load({}, { CODEX_HOME: '/env' }).codexHome).toBe('/env');
  expect(load({ codexHome: '/flag' }, { CODEX_HOME: '/env' }).codexHome).toBe('/flag');
  expect(load({}, { XDG_DATA_HOME: '/data' }).home).toBe('/data/signalbox');
  expect(load({}, { XDG_DATA_HOME: 'relative' }).home).toBe('/home/me/.local/share/signalbox');
  expect(load({}, { SIGNALBOX_HOME: '/env', XDG_DATA_HOME: '/data' }).home).toBe('/env');
  expect(load({ home: '/flag' }, { SIGNALBOX_HOME: '/env' }).home).toBe('/flag');
});

test('[CL1] flags that are switches say something only when given', () => {
  write('[server]\nopen = false\n[demo]\nmodel = "never"\n');
  expect(load({ open: true, demo: false }).config).toMatchObject({ server: { open: false }, demo: { model: 'never' } });
  expect(load({ demo: true, debug: true }).config).toMatchObject({
    demo: { model: 'always' },
    debug: { enabled: true },
    log: { level: 'debug' },
  });
  expect(load({ open: false }).config.server.open).toBe(false);
});

test('[EV16] a webhook whose secret is not there is warned about', () => {
  const source = (more: string) => `[[external_events.sources]]\ntype = "webhook"\nprovider = "github"\n${more}\n`;
  write(source('secret_env = "HOOK"'));
  expect(load().warnings).toEqual([
    'the webhook of github is refused, since its secret is not there: the variable HOOK is not set',
  ]);
  expect(load({}, { HOOK: 'secret' }).warnings).toEqual([]);
  write(source('secret_file = "~/none"'));
  expect(load().warnings).toEqual([expect.stringContaining('~/none cannot be read')]);
  write(source('enabled = false'));
  expect(load().warnings).toEqual([]);
});

describe('[CL2] a wrong setting is refused by name and place', () => {
  test('in the file: line and key', () => {
    write('# mine\n[server]\nhost = "127.0.0.1"\nport = "high"\n');
    expect(refusal()).toMatch(`${file()}:4: server.port: `);
    write('log = { level = "loud" }\n');
    expect(refusal()).toMatch(`${file()}:1: log.level: `);
    write('server.port = 70000\n');
    expect(refusal({ port: '1' })).toMatch(`${file()}:1: server.port: `);
  });
  test('in the file: one of several tables of a name', () => {
    write(
      '[[external_events.rules]]\ndelivery = "drop"\n\n[[external_events.rules]]\nmatch_type = "a"\ndelivery = "later"\n',
    );
    expect(refusal()).toMatch(`${file()}:6: external_events.rules.1.delivery: expected one of "queue_for_next_turn", `);
    write('[[external_events.rules]]\nmatch_typ = "a"\n');
    expect(refusal()).toBe(`${file()}:2: external_events.rules.0.match_typ: there is no such setting`);
  });
  test('in the file: a setting that does not exist', () => {
    write('[server]\nprot = 1\n');
    expect(refusal()).toBe(`${file()}:2: server.prot: there is no such setting`);
    write('\n[servers]\n');
    expect(refusal()).toBe(`${file()}:2: servers: there is no such setting`);
  });
  test('a file that is not TOML: the line', () => {
    write('[server]\nport = 1\nhost = "open\n');
    expect(refusal()).toMatch(`${file()}:3: not TOML: `);
  });
  test('in the environment', () => {
    expect(refusal({}, { SIGNALBOX_PORT: 'high' })).toMatch('SIGNALBOX_PORT: server.port: ');
    expect(refusal({}, { SIGNALBOX_OPEN: 'maybe' })).toMatch('SIGNALBOX_OPEN: server.open: ');
  });
  test('in flags', () => {
    expect(refusal({ port: '-1' })).toMatch('--port: server.port: ');
    expect(refusal({ transport: 'pigeon' })).toMatch('--transport: codex.transport: ');
    expect(refusal({ overrides: ['server.prot=1'] })).toBe('-c server.prot: server.prot: there is no such setting');
    expect(refusal({ overrides: ['server=5'] })).toMatch('-c server: server: ');
    expect(refusal({ overrides: ['=5'] })).toMatch('expected key=value');
    expect(refusal({ overrides: ['port'] })).toMatch('expected key=value');
    expect(refusal({ overrides: ['__proto__.polluted=1'] })).toMatch('not the name of a setting');
  });
});

test('[CL3] the value of -c is TOML, or the text as it is', () => {
  const config = (...overrides: string[]) => load({ overrides }).config;
  expect(config('server.port=1').server.port).toBe(1);
  expect(config('server.open=false').server.open).toBe(false);
  expect(config('conversations.model=gpt-5').conversations.model).toBe('gpt-5');
  expect(config('conversations.model="gpt-5"').conversations.model).toBe('gpt-5');
  expect(config('conversations.model = "1"').conversations.model).toBe('1');
  expect(config("conversations.model='a=b'").conversations.model).toBe('a=b');
  expect(config('conversations.model=1\nserver.port=2').server.port).toBe(12_359);
  expect(config('server={port=7}').server).toEqual({ host: '127.0.0.1', port: 7, open: true });
});

test("[CL3] Codex's own settings keep their dotted names, in -c and in the file", () => {
  write('[codex.config]\nmodel_provider = "mine"\n[codex.config.model_providers.mine]\nbase_url = "http://x"\n');
  expect(
    load({ overrides: ['codex.config.model_providers.mine.name=Mine', 'codex.config.a=1'] }).config.codex.config,
  ).toEqual({
    model_provider: 'mine',
    'model_providers.mine.base_url': 'http://x',
    'model_providers.mine.name': 'Mine',
    a: 1,
  });
  write('[codex.config.model_providers.mine]\nhosts = ["x"]\n');
  expect(refusal()).toMatch(`${file()}:2: codex.config.model_providers.mine.hosts: `);
});

test('[CL4] a file every user may change is refused', () => {
  write('[codex]\ncommand = "/evil"\n');
  chmodSync(file(), 0o666);
  expect(refusal()).toMatch(`${file()} can be changed by every user`);
});

test('[CL5] the JSON Schema has every setting and no other', () => {
  expect(configJsonSchema()).toMatchObject({
    type: 'object',
    additionalProperties: false,
    properties: {
      server: { properties: { port: { type: 'integer', default: 12_359 }, host: {}, open: {} } },
      codex: { properties: { transport: { enum: ['unix', 'stdio'], default: 'unix' }, command: {}, home: {} } },
      conversations: { properties: { approval: { enum: ['untrusted', 'on-request', 'never'] } } },
      demo: {},
      debug: {},
      log: {},
    },
  });
});

test.each(['0.0.0.0:0', '127.0.0.1', '127.0.0.1:65536', 'example.com:80', '[::]:80', '192.168.0.1:80'])(
  '[EV48] a bind that is not on this machine is refused: %s',
  (bind) => {
    write(`[[external_events.sources]]\ntype = "http"\nbind = "${bind}"\n`);
    expect(refusal()).toContain('bind');
  },
);

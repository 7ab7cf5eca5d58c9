/** How Codex is to be started: which arguments, which provider, and the demo model's door if it is the one to answer. */
import { join } from 'node:path';
import type { Config } from '../../contract/config.ts';
import { DemoRecord } from '../../contract/run-files.ts';
import type { ResponsesServer } from '../../demo/responses-server.ts';
import { ensurePrivateDir, writeFileAtomic } from '../../node/atomic-file.ts';
import { codexTmpDir } from '../../node/places.ts';
import { readJson } from '../../node/read-json.ts';
import type { LaunchPlan } from '../codex/launch.ts';
import { hasModelAccess } from '../codex/login.ts';

export interface Launcher {
  readonly codexHome: string;
  plan(): LaunchPlan;
  isDemo(): boolean;
  /** Somebody signed in or out since the plan was made. */
  isOutdated(): boolean;
  /** What is to be used from now on, made but not yet in use. */
  next(): Promise<Launch>;
  use(launch: Launch): void;
  close(): Promise<void>;
}

interface Launch {
  readonly plan: LaunchPlan;
  readonly isDemo: boolean;
}

interface LauncherOptions {
  readonly config: Config;
  readonly binary: string;
  readonly codexHome: string;
  readonly runDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** Where our tools are. */
  readonly mcp: LaunchPlan['mcp'];
}

export async function createLauncher(options: LauncherOptions): Promise<Launcher> {
  const { config, binary, codexHome, runDir, env, mcp } = options;
  await ensurePrivateDir(codexHome);
  const tmpDir = codexTmpDir(codexHome, env);
  if (tmpDir !== null) await ensurePrivateDir(tmpDir);
  /** Once open it stays: a Codex that goes on with a turn may still call it. */
  let demo: Promise<ResponsesServer> | null = null;

  const wantsDemo = () => {
    const wanted = config.demo.model;
    return wanted === 'always' || (wanted === 'auto' && !hasModelAccess(codexHome, env));
  };

  const next = async (): Promise<Launch> => {
    const isDemo = wantsDemo();
    if (isDemo) demo ??= openDemoModel(runDir, config.demo.delay_ms);
    const settings = {
      'tools.update_plan.enabled': 'true',
      ...(isDemo && demo !== null ? demoSettings((await demo).url) : {}),
      ...Object.fromEntries(Object.entries(config.codex.config).map(([key, value]) => [key, JSON.stringify(value)])),
    };
    const args = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    return { plan: { binary, args, codexHome, runDir, env, mcp }, isDemo };
  };

  let current = await next();
  return {
    codexHome,
    plan: () => current.plan,
    isDemo: () => current.isDemo,
    isOutdated: () => current.isDemo !== wantsDemo(),
    next,
    use(launch) {
      current = launch;
    },
    async close() {
      await (await demo)?.close();
    },
  };
}

async function openDemoModel(runDir: string, delayMs: number): Promise<ResponsesServer> {
  // Most people have a login, and never meet it.
  const { startDemoModel } = await import('../../demo/start-demo-model.ts');
  const path = join(runDir, 'demo-model.json');
  const known = await readJson(path, DemoRecord);
  const server = await (known === null
    ? startDemoModel({ delayMs })
    : startDemoModel({ ...known, delayMs }).catch(() => startDemoModel({ delayMs })));
  await writeFileAtomic(path, `${JSON.stringify({ port: server.port })}\n`);
  return server;
}

/** Nothing leaves the machine: no plugins, no analytics, no update check. */
function demoSettings(url: string): Record<string, string> {
  return {
    model: '"gpt-5.5"',
    model_provider: '"signalbox-demo"',
    'model_providers.signalbox-demo': `{ name = "Signalbox demo model", base_url = "${url}", wire_api = "responses", requires_openai_auth = false, supports_websockets = false }`,
    check_for_update_on_startup: 'false',
    'analytics.enabled': 'false',
    'features.plugins': 'false',
    'features.apps': 'false',
  };
}

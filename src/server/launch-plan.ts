/** How Codex is to be started: which arguments, which provider, and the demo model's door if it is the one to answer. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../contract/config.ts';
import { DemoRecord } from '../contract/run-files.ts';
import type { ResponsesServer } from '../demo/responses-server.ts';
import { startDemoModel } from '../demo/start-demo-model.ts';
import { ensurePrivateDir, writeFileAtomic } from '../node/atomic-file.ts';
import type { LaunchPlan } from './codex/launch.ts';
import { hasModelAccess } from './codex/login.ts';

export interface Launch {
  readonly plan: LaunchPlan;
  readonly demo: ResponsesServer | null;
}

export async function planLaunch(options: {
  readonly config: Config;
  readonly binary: string;
  readonly codexHome: string;
  readonly runDir: string;
  readonly env: NodeJS.ProcessEnv;
}): Promise<Launch> {
  const { config, codexHome, runDir, env } = options;
  await ensurePrivateDir(codexHome);
  const wanted = config.demo.model;
  const isDemo = wanted === 'always' || (wanted === 'auto' && !hasModelAccess(codexHome, env));
  const demo = isDemo ? await openDemoModel(runDir) : null;
  const settings = {
    'tools.update_plan.enabled': 'true',
    ...(demo === null ? {} : demoSettings(demo.url)),
    ...Object.fromEntries(Object.entries(config.codex.config).map(([key, value]) => [key, JSON.stringify(value)])),
  };
  const args = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  return { plan: { binary: options.binary, args, codexHome, runDir, env }, demo };
}

async function openDemoModel(runDir: string): Promise<ResponsesServer> {
  const path = join(runDir, 'demo-model.json');
  const text = await readFile(path, 'utf8').catch(() => 'null');
  const known = DemoRecord.safeParse(JSON.parse(text)).data?.port;
  const server = await (known === undefined
    ? startDemoModel()
    : startDemoModel({ port: known }).catch(() => startDemoModel()));
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

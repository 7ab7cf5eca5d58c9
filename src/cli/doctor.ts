/** `doctor`: looks at everything the server needs and says what to do about what is missing. Changes nothing. */
import { existsSync } from 'node:fs';
import type { Config } from '../contract/config.ts';
import type { Failure } from '../contract/result.ts';
import { configFile } from '../node/places.ts';
import { checkAdapters } from './doctor-adapters.ts';
import {
  type Check,
  checkCodex,
  checkCodexHome,
  checkDirectories,
  checkDisk,
  checkLogin,
  checkNode,
  checkPort,
  checkProgram,
  checkSandbox,
  checkSs,
} from './doctor-checks.ts';
import { checkWorktrees } from './doctor-worktrees.ts';
import { type Output, styled } from './output.ts';
import { loadSettings, type SettingsFlags, webhooksWithoutSecret } from './serve.ts';

const MARKS = { ok: ['green', 'ok  '], warn: ['yellow', 'warn'], fail: ['red', 'FAIL'] } as const;
const EXIT_FAILED = 1;

export async function doctor(
  out: Output,
  given: { readonly flags: SettingsFlags; readonly env: NodeJS.ProcessEnv },
): Promise<number> {
  const checks = await runChecks(given);
  const isOk = checks.every((check) => check.status !== 'fail');
  if (out.isJson) await out.json({ ok: isOk, checks });
  for (const check of out.isJson ? [] : checks) {
    const [style, word] = MARKS[check.status];
    await out.print(styled(style, word), '  ', check.code.padEnd(14), check.message);
    if (check.fix !== undefined) await out.print(' '.repeat(20), styled('dim', `→ ${check.fix}`));
  }
  return isOk ? 0 : EXIT_FAILED;
}

async function runChecks(given: {
  readonly flags: SettingsFlags;
  readonly env: NodeJS.ProcessEnv;
}): Promise<readonly Check[]> {
  const { env } = given;
  const settings = loadSettings(given);
  const first = [checkNode(process.versions.node), configCheck(settings, configFile(env))];
  // Without settings there is no telling which Codex, port or directory is meant.
  if (!settings.ok) return first;
  const { config, home, codexHome } = settings.value;
  const codex = await checkCodex(config.codex.command, { ...env, CODEX_HOME: codexHome });
  return [
    ...first,
    webhookCheck(config, env),
    ...(await checkAdapters(config, home, env)),
    codex.check,
    await checkLogin({ command: codex.command, codexHome, env, demo: config.demo.model }),
    checkCodexHome(codexHome, env),
    await checkSandbox({ command: codex.command, codexHome, env }),
    checkDirectories(home),
    await checkPort({ host: config.server.host, port: config.server.port, home }),
    checkDisk(home),
    checkProgram({ code: 'git', env, use: 'Codex cannot show or undo changes without it' }),
    checkProgram({ code: 'rg', env, use: 'Codex searches files more slowly without ripgrep' }),
    checkSs(),
    ...(await checkWorktrees(home, env)),
  ];
}

function configCheck(
  settings: { readonly ok: true } | { readonly ok: false; readonly error: Failure },
  file: string,
): Check {
  if (!settings.ok)
    return { code: 'config', status: 'fail', message: settings.error.message, fix: 'correct or remove that setting' };
  const message = existsSync(file) ? `${file} is valid` : `the defaults: there is no ${file}`;
  return { code: 'config', status: 'ok', message };
}

function webhookCheck(config: Config, env: NodeJS.ProcessEnv): Check {
  const code = 'webhooks';
  const wanted = config.external_events.sources.flatMap((one) => (one.type === 'webhook' ? [one.provider] : []));
  if (wanted.length === 0) return { code, status: 'ok', message: 'none are asked for' };
  const silent = webhooksWithoutSecret(config, env);
  if (silent.length === 0) return { code, status: 'ok', message: `${wanted.join(', ')}: each has its secret` };
  return {
    code,
    status: 'warn',
    message: silent.map(({ provider, where }) => `${provider} is refused: ${where}`).join('; '),
    fix: 'let the server be started where its secret is, and start it again',
  };
}

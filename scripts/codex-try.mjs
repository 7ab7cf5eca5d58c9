/**
 * `npm run codex:try -- VERSION|latest [--json]`: another Codex against ours: what its protocol adds, removes and changes, whether it leaves the
 * entries of the recordings (contract suite), and whether the product answers with it, also after a restart (compat). Exits 1 if a test failed.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareProtocols } from './codex-drift.mjs';
import { installCodex, resolveVersion } from './codex-install.mjs';
import { ROOT, say, seconds } from './run.mjs';
import { setup } from './setup.mjs';
import { runVitest } from './vitest-run.mjs';

/** Lines of the drift that are printed; `--json` has all of them. */
const MAX_LINES = 60;

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [wanted, ...rest] = positionals;
if (wanted === undefined || rest.length > 0) {
  say('usage: npm run codex:try -- VERSION|latest [--json]');
  process.exit(2);
}

await setup();
const version = resolveVersion(wanted);
const binary = await installCodex(version);
const pinned = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).dependencies['@openai/codex'];
say(`── Codex ${version} (pinned: ${pinned})`);
const drift = readDrift();
const contract = await runTests('contract suite', ['test/codex/contract.test.ts', '--project', 'system'], {
  CODEX_TRY_BIN: binary,
});
const compat = await runTests('compat', ['test/compat/versions.test.ts'], {
  SIGNALBOX_SUITE: 'compat',
  CODEX_COMPAT_VERSIONS: JSON.stringify({ [version]: binary }),
});
const report = { version, pinned, drift, contract, compat };
process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : renderReport(report));
process.exitCode = contract.isOk && compat.isOk ? 0 : 1;

/** An old Codex that cannot write its types has an error in place of differences. */
function readDrift() {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-codex-try-'));
  try {
    const script = join(ROOT, 'scripts/generate-codex-protocol.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, '--binary', binary, '--out', folder], {
      encoding: 'utf8',
    });
    if (status !== 0) return { error: stderr.trim().split('\n').slice(-8).join('\n'), differences: [] };
    const read = (from) => ({
      methods: readFileSync(join(from, 'codex-methods.ts'), 'utf8'),
      protocol: readFileSync(join(from, 'codex-protocol.ts'), 'utf8'),
    });
    return {
      error: null,
      differences: compareProtocols(read(join(ROOT, 'src/contract/generated')), read(folder)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runTests(label, args, env) {
  const startedMs = performance.now();
  const totals = await runVitest(args, { env: { ...process.env, ...env }, label, isQuiet: true });
  return { ...totals, time: seconds(startedMs) };
}

function renderReport({ version, pinned, drift, contract, compat }) {
  const count = (change) => drift.differences.filter((one) => one.change === change).length;
  const tests = ({ isOk, passed, failed, time }) =>
    `${isOk ? 'ok    ' : 'FAILED'} ${passed} passed, ${failed} failed, ${time}`;
  const differences =
    drift.error === null
      ? `${count('added')} added, ${count('removed')} removed, ${count('changed')} changed`
      : `its types cannot be read: ${drift.error}`;
  const rows = [
    ['Codex', `${version} (pinned: ${pinned})`],
    ['drift', differences],
    ['contract suite', tests(contract)],
    ['compat', tests(compat)],
  ];
  const lines = drift.differences
    .slice(0, MAX_LINES)
    .map(
      ({ what, change, name, was, is }) =>
        `  ${change.padEnd(8)}${what.padEnd(7)}${name}${was ? `: ${was} → ${is}` : ''}`,
    );
  const left = drift.differences.length - lines.length;
  if (left > 0) lines.push(`  and ${left} more (--json has all)`);
  return `\n${[...rows.map(([name, text]) => `${name.padEnd(16)}${text}`), ...lines].join('\n')}\n`;
}

/**
 * `npm run torture -- [--rounds N] [--seed N] [--only kind,kind] [--verbose] [--no-build]`: random work and random crashes against the
 * real server and the real Codex, and a checker that compares what was submitted with what is there. Exits 1 on a violation.
 * `--interleave`: no crashes; two clients do everything to the same conversations at the same time.
 * `--soak MINUTES`: no crashes; many conversations, clients that reconnect, events, turns and terminals for that long, and what it costs in memory.
 */
import { parseArgs } from 'node:util';
import { torture } from '../test/torture/torture.mjs';
import { build } from './build.mjs';
import { setup } from './setup.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
    interleave: { type: 'boolean', default: false },
    soak: { type: 'string' },
  },
});

if (!values['no-build']) {
  await setup();
  if (!(await build())) process.exit(1);
}
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000_000));
const rounds = Number(values.rounds);
const isVerbose = values.verbose;
process.exit((await run()) ? 0 : 1);

async function run() {
  if (values.soak !== undefined) {
    const { soak } = await import('../test/torture/soak.mjs');
    return soak({ minutes: Number(values.soak), seed, isVerbose });
  }
  if (values.interleave) {
    const { interleave } = await import('../test/torture/interleave.mjs');
    return interleave({ rounds, seed, isVerbose });
  }
  return torture({ rounds, seed, only: values.only === '' ? [] : values.only.split(','), isVerbose });
}

/**
 * `npm run torture -- [--rounds N] [--seed N] [--only kind,kind] [--verbose] [--no-build]`: random work and random crashes against the
 * real server and the real Codex, and a checker that compares what was submitted with what is there. Exits 1 on a violation.
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
  },
});

if (!values['no-build']) {
  await setup();
  if (!(await build())) process.exit(1);
}
const isClean = await torture({
  rounds: Number(values.rounds),
  seed: Number(values.seed ?? Math.floor(Math.random() * 1_000_000_000)),
  only: values.only === '' ? [] : values.only.split(','),
  isVerbose: values.verbose,
});
process.exit(isClean ? 0 : 1);

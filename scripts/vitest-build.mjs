/** Vitest's global set-up for tests that start our own processes: dist/ is current before the first of them runs. */
import { build } from './build.mjs';

export async function setup() {
  if (!(await build())) throw new Error('dist/ could not be built, so tests of the built program would prove nothing');
}

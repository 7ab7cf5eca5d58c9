/** Which picker asks. */
import { expect, test } from 'vitest';
import { createFileCommands } from './file-commands.ts';
import { createAppStore } from './store.ts';

test('pickers of two pages are never taken for one', async () => {
  const bodies: unknown[] = [];
  const call = (_: unknown, input: unknown) => {
    bodies.push(input);
    return Promise.resolve({ ok: false as const, error: { code: 'not_running' as const, message: '' } });
  };
  const create = () => createFileCommands(createAppStore(), call, () => undefined);
  const pages = [create(), create()];
  for (const page of [...pages, ...pages]) await page.mention({ cwd: '/p' }, 'a', '_r_1_');
  expect(bodies[0]).toMatchObject({ cwd: '/p', query: 'a', picker: expect.stringMatching(/^.{1,64}$/) });
  expect(bodies[2]).toEqual(bodies[0]);
  expect(bodies[1]).not.toEqual(bodies[0]);
});

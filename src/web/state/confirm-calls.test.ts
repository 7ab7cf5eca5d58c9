/** A call that has to be confirmed is repeated with the person's answer, or not at all. */
import { expect, test } from 'vitest';
import type { ConfirmationDetails } from '../../contract/access.ts';
import { fail, ok } from '../../contract/result.ts';
import type { Call } from './call.ts';
import { type Said, withConfirmation } from './confirm-calls.ts';

const details = { confirm: 'c1', title: 'Never ask?', button: 'Never ask', means: ['It acts.'], needs_password: false };

function stand(answers: readonly Said[], problem?: string) {
  const inputs: object[] = [];
  const asked: ConfirmationDetails[] = [];
  const left = [...answers];
  const call = (async (_id: string, input: object) => {
    inputs.push(input);
    const isRight =
      'confirm' in input && JSON.stringify(input.confirm).includes(problem === undefined ? 'c1' : 'right');
    if (isRight) return ok({});
    const isAgain = inputs.length > 1 && problem !== undefined;
    return fail('confirmation_required', 'confirm it', { ...details, ...(isAgain && { problem }) });
  }) as Call;
  const confirmed = withConfirmation(call, async (one) => {
    asked.push(one);
    return left.shift() ?? null;
  });
  return { inputs, asked, run: () => confirmed('writeConfig', { approval: 'never' }) };
}

test('[AT11] the same call goes again with the challenge, once the person says yes', async () => {
  const { inputs, asked, run } = stand([{}]);
  expect((await run()).ok).toBe(true);
  expect(asked).toMatchObject([{ title: 'Never ask?', means: ['It acts.'] }]);
  expect(inputs).toEqual([{ approval: 'never' }, { approval: 'never', confirm: { id: 'c1' } }]);
});

test('[AT11] who cancels has changed nothing', async () => {
  const { inputs, run } = stand([null]);
  expect(await run()).toMatchObject({ ok: false, error: { code: 'confirmation_required' } });
  expect(inputs).toHaveLength(1);
});

test('[AT11] after a wrong password the person is asked again, and told', async () => {
  const { inputs, asked, run } = stand([{ password: 'wrong' }, { password: 'right' }], 'That is not the password.');
  expect((await run()).ok).toBe(true);
  expect(asked[1]?.problem).toBe('That is not the password.');
  expect(inputs).toHaveLength(3);
});

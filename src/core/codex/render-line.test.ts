/** What leaves for Codex, and what of it people may see. */
import { expect, test } from 'vitest';
import { renderLine, withoutSecret } from './render-line.ts';

test('half a character becomes one that stands for what is missing', () => {
  expect(renderLine({ method: 'a', params: { text: 'x\ud800', list: ['\udc00'] } })).toBe(
    '{"method":"a","params":{"text":"x\ufffd","list":["\ufffd"]}}',
  );
});

test('[AC3] of a login nothing but its method is seen, of everything else all', () => {
  const login = renderLine({ method: 'account/login/start', id: 3, params: { type: 'apiKey', apiKey: 'sk-1' } });
  expect(withoutSecret(login)).toBe('{"method":"account/login/start","params":"[redacted]"}');
  const other = renderLine({ method: 'account/login/cancel', id: 4, params: { loginId: 'x' } });
  expect(withoutSecret(other)).toBe(other);
});

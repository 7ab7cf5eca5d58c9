/** Where each field of a call goes. */
import { expect, test } from 'vitest';
import { requestOf } from './call.ts';

test('path, query and body take the fields that name them', () => {
  const row = { method: 'PATCH', path: '/api/conversations/{id}', query: [] };
  expect(requestOf(row, { id: 'conv_1', label: 'a', model: undefined })).toEqual({
    method: 'PATCH',
    url: '/api/conversations/conv_1',
    body: '{"label":"a"}',
  });
});

test('a GET has a query string and no body', () => {
  const row = { method: 'GET', path: '/api/transcript/range', query: ['conversation_id', 'before', 'limit'] };
  expect(requestOf(row, { conversation_id: 'c', before: -3 })).toEqual({
    method: 'GET',
    url: '/api/transcript/range?conversation_id=c&before=-3',
    body: null,
  });
});

test('a parameter cannot leave its place in the path', () => {
  expect(requestOf({ method: 'DELETE', path: '/x/{id}', query: [] }, { id: '../y?z' }).url).toBe('/x/..%2Fy%3Fz');
});

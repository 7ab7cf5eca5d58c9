/** Forms made of schemas. */
import { expect, test } from 'vitest';
import { fieldsOf, initialContent, missingFields } from './form-fields.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name', description: 'As on the door' },
    age: { type: 'integer' },
    ok: { type: 'boolean' },
    color: { type: 'string', enum: ['red', 'blue'], enumNames: ['Red', 'Blue'] },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    odd: { type: 'object' },
  },
  required: ['name', 'ok'],
};

test('each kind of property has its input', () => {
  expect(fieldsOf(SCHEMA).map((field) => [field.name, field.title, field.input.type, field.isRequired])).toEqual([
    ['name', 'Your name', 'text', true],
    ['age', 'age', 'number', false],
    ['ok', 'ok', 'boolean', true],
    ['color', 'color', 'choice', false],
    ['tags', 'tags', 'choices', false],
    ['odd', 'odd', 'json', false],
  ]);
});

test('what is missing is named', () => {
  const fields = fieldsOf(SCHEMA);
  expect(missingFields(fields, initialContent(fields))).toEqual(['Your name']);
  expect(missingFields(fields, { name: 'x', ok: true })).toEqual([]);
});

test.each([undefined, null, 1, [], {}, { properties: 3 }])('%j makes no form', (schema) => {
  expect(fieldsOf(schema)).toEqual([]);
});

/** The schema of an elicitation → fields of a form. MCP allows flat objects of simple values; anything else is asked for as JSON. */

export interface Field {
  readonly name: string;
  readonly title: string;
  readonly hint: string;
  readonly isRequired: boolean;
  readonly input:
    | { readonly type: 'text'; readonly isLong: boolean; readonly format: string }
    | { readonly type: 'number'; readonly isInteger: boolean }
    | { readonly type: 'boolean' }
    | { readonly type: 'choice'; readonly options: readonly Option[] }
    | { readonly type: 'choices'; readonly options: readonly Option[] }
    | { readonly type: 'json' };
  readonly initial: unknown;
}

interface Option {
  readonly value: string;
  readonly label: string;
}

type Loose = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(schema: unknown): readonly Field[] {
  if (!isObject(schema) || !isObject(schema.properties)) return [];
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(schema.properties).map(([name, value]) => {
    const property = isObject(value) ? value : {};
    return {
      name,
      title: textOf(property.title) || name,
      hint: textOf(property.description),
      isRequired: required.has(name),
      input: inputOf(property),
      initial: property.default,
    };
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function inputOf(property: Loose): Field['input'] {
  const options = optionsOf(property);
  if (options.length > 0) return { type: 'choice', options };
  switch (property.type) {
    case 'string':
      return { type: 'text', isLong: Number(property.maxLength ?? 0) > 200, format: textOf(property.format) };
    case 'number':
    case 'integer':
      return { type: 'number', isInteger: property.type === 'integer' };
    case 'boolean':
      return { type: 'boolean' };
    case 'array': {
      const many = isObject(property.items) ? optionsOf(property.items) : [];
      return many.length > 0 ? { type: 'choices', options: many } : { type: 'json' };
    }
    default:
      return { type: 'json' };
  }
}

function optionsOf(property: Loose): readonly Option[] {
  const titled = Array.isArray(property.oneOf) ? property.oneOf : Array.isArray(property.anyOf) ? property.anyOf : [];
  const fromTitled = titled.flatMap((one) =>
    isObject(one) && typeof one.const === 'string' ? [{ value: one.const, label: textOf(one.title) || one.const }] : [],
  );
  if (fromTitled.length > 0) return fromTitled;
  if (!Array.isArray(property.enum)) return [];
  const names = Array.isArray(property.enumNames) ? property.enumNames : [];
  return property.enum.flatMap((value, at) =>
    typeof value === 'string' ? [{ value, label: textOf(names[at]) || value }] : [],
  );
}

/** What a form holds at first: defaults, and an answer for what cannot be left open. */
export function initialContent(fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      if (field.initial !== undefined) return [[field.name, field.initial]];
      return field.input.type === 'boolean' ? [[field.name, false]] : [];
    }),
  );
}

export function missingFields(fields: readonly Field[], content: Loose): readonly string[] {
  return fields
    .filter((field) => field.isRequired && (content[field.name] === undefined || content[field.name] === ''))
    .map((field) => field.title);
}

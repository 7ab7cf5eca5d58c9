/** How the protocol of one Codex differs from that of another: methods, fields and enum values of their generated files. Pure. */
import ts from 'typescript';

/** Tables of methods, which are compared by the lists of all methods instead. */
const TABLES = new Set(['CodexNotificationParams', 'CodexServerRequests', 'CodexClientRequests']);
/** Fields that say which member of a union an object is. */
const TAGS = ['type', 'kind', 'mode', 'method', 'status'];

/**
 * `ours` and `theirs`: `{ methods, protocol }`, the texts of `codex-methods.ts` and `codex-protocol.ts`.
 * Answers `[{ what: 'method' | 'type' | 'field' | 'value', change: 'added' | 'removed' | 'changed', name, was?, is? }]`.
 */
export function compareProtocols(ours, theirs) {
  return [
    ...compare(readMethodLists(ours.methods), readMethodLists(theirs.methods)).map((one) => ({
      what: 'method',
      ...one,
    })),
    ...compareTypes(readSurface(ours.protocol), readSurface(theirs.protocol)),
  ];
}

function compareTypes(ours, theirs) {
  const names = (surface) => new Map([...surface.keys()].map((key) => [typeOf(key), '']));
  const types = compare(names(ours), names(theirs));
  const whole = new Set(types.map(({ name }) => name));
  const parts = compare(ours, theirs).filter(({ name }) => !whole.has(typeOf(name)));
  return [
    ...types.map((one) => ({ what: 'type', ...one })),
    ...parts.map((one) => ({ what: one.name.includes(' = ') ? 'value' : 'field', ...one })),
  ];
}

const typeOf = (key) => /^\w+/.exec(key)?.[0] ?? key;

function compare(ours, theirs) {
  const differences = [];
  for (const [name, was] of ours) {
    const is = theirs.get(name);
    if (is === undefined) differences.push({ change: 'removed', name });
    else if (is !== was) differences.push({ change: 'changed', name, was, is });
  }
  for (const name of theirs.keys()) if (!ours.has(name)) differences.push({ change: 'added', name });
  return differences;
}

function readMethodLists(text) {
  const methods = new Map();
  for (const [, list, body] of text.matchAll(/export const CODEX_(\w+) = \[([^\]]*)\]/g))
    for (const [, method] of body.matchAll(/'([^']+)'/g))
      methods.set(`${method} (${list.toLowerCase().replace('_', ' ')})`, '');
  return methods;
}

/** Every field with its type, and every enum value, by its path from the type that has it. */
function readSurface(text) {
  const source = ts.createSourceFile('protocol.ts', text, ts.ScriptTarget.Latest, true);
  const surface = new Map();
  for (const node of source.statements) {
    if (ts.isTypeAliasDeclaration(node)) visit(surface, node.type, node.name.text);
    else if (ts.isInterfaceDeclaration(node) && !TABLES.has(node.name.text))
      visitMembers(surface, node.members, node.name.text);
  }
  return surface;
}

function visit(surface, node, path) {
  if (ts.isTypeLiteralNode(node)) visitMembers(surface, node.members, path);
  else if (ts.isParenthesizedTypeNode(node)) visit(surface, node.type, path);
  else if (ts.isArrayTypeNode(node)) visit(surface, node.elementType, `${path}[]`);
  else if (ts.isIntersectionTypeNode(node)) for (const one of node.types) visit(surface, one, path);
  else if (ts.isUnionTypeNode(node)) for (const one of node.types) visit(surface, one, `${path}${tagOf(one)}`);
  else if (ts.isLiteralTypeNode(node)) surface.set(`${path} = ${node.getText()}`, '');
  else {
    const text = node.getText().replace(/\s+/g, ' ');
    // A union of several types has one line for each of them.
    surface.set(surface.has(path) ? `${path} | ${text}` : path, text);
  }
}

function visitMembers(surface, members, path) {
  if (members.length === 0) surface.set(path, '{}');
  for (const member of members) {
    if (!ts.isPropertySignature(member) || member.type === undefined) continue;
    const name = ts.isStringLiteral(member.name) ? member.name.text : member.name.getText();
    visit(surface, member.type, `${path}.${name}${member.questionToken ? '?' : ''}`);
  }
}

function tagOf(node) {
  if (!ts.isTypeLiteralNode(node)) return '';
  const tag = node.members.find((member) => TAGS.includes(member.name?.getText()) && ts.isLiteralTypeNode(member.type));
  if (tag !== undefined) return `(${tag.type.getText().replaceAll("'", '')})`;
  // A variant that is told by its only field.
  const only = node.members.length === 1 ? node.members[0].name?.getText() : undefined;
  return only === undefined ? '' : `(${only})`;
}

/** Reads the tree that `codex app-server generate-ts` writes and flattens a part of it into one import-free file. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

/** Every type alias of the tree, as `Map<key, { key, name, node, imports }>` with `key = "v2/Turn.ts#Turn"`. */
export function readTypeTree(root) {
  const types = new Map();
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  for (const file of files.sort()) {
    const path = join(root, file);
    const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    const imports = readImports(root, path, source);
    for (const node of source.statements.filter(ts.isTypeAliasDeclaration)) {
      const key = `${file}#${node.name.text}`;
      imports.set(node.name.text, key);
      types.set(key, { key, name: node.name.text, node, imports });
    }
  }
  return types;
}

/** The members of a method union such as `ClientRequest`: `[{ method, params }]`, params as a type node or undefined. */
export function readMethods(types, unionName) {
  const union = types.get(`${unionName}.ts#${unionName}`);
  if (!union) throw new Error(`the binary's types have no ${unionName}`);
  const members = ts.isUnionTypeNode(union.node.type) ? union.node.type.types : [union.node.type];
  return members.map((member) => {
    const method = propertyType(member, 'method');
    if (!method || !ts.isLiteralTypeNode(method)) throw new Error(`${unionName} has a member without a method name`);
    return { method: method.literal.text, params: propertyType(member, 'params'), owner: union };
  });
}

/** Collects types as they are asked for, and prints the transitive closure of what was asked. */
export function createFlattener(types) {
  const reached = new Map();
  const queue = [];

  /** Makes sure that the type is printed; answers the name it has there. */
  function reach(key) {
    const type = types.get(key);
    if (!type) throw new Error(`type ${key} is not in the binary's output`);
    if (!reached.has(key)) {
      reached.set(key, flatName(types, type));
      queue.push(type);
    }
    return reached.get(key);
  }

  /** The text of a type node of `owner`'s file, its references renamed and reached. */
  function print(node, owner) {
    const rename = (context) => {
      const visit = (child) => {
        if (
          ts.isTypeReferenceNode(child) &&
          ts.isIdentifier(child.typeName) &&
          owner.imports.has(child.typeName.text)
        ) {
          const name = reach(owner.imports.get(child.typeName.text));
          const args = child.typeArguments?.map((argument) => ts.visitNode(argument, visit));
          return context.factory.createTypeReferenceNode(name, args);
        }
        // The wire is JSON: what Rust calls a 64-bit integer arrives as a number.
        if (child.kind === ts.SyntaxKind.BigIntKeyword)
          return context.factory.createKeywordTypeNode(ts.SyntaxKind.NumberKeyword);
        return ts.visitEachChild(child, visit, context);
      };
      return (tree) => ts.visitNode(tree, visit);
    };
    const [renamed] = ts.transform(node, [rename]).transformed;
    return printer.printNode(ts.EmitHint.Unspecified, renamed, node.getSourceFile());
  }

  function printClosure() {
    const texts = new Map();
    for (let type = queue.shift(); type; type = queue.shift()) {
      if (type.node.typeParameters) throw new Error(`${type.key} is generic: teach the flattener`);
      texts.set(reached.get(type.key), `export type ${reached.get(type.key)} = ${print(type.node.type, type)};`);
    }
    return [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  }

  return { reach, print, printClosure };
}

const printer = ts.createPrinter({ removeComments: true });

/** Types of the tree's root keep their name unless `v2` has one of the same name with another meaning. */
function flatName(types, { key, name }) {
  return !key.startsWith('v2/') && types.has(`v2/${name}.ts#${name}`) ? `Core${name}` : name;
}

function readImports(root, path, source) {
  const imports = new Map();
  for (const statement of source.statements.filter(ts.isImportDeclaration)) {
    const target = relative(root, resolve(dirname(path), `${statement.moduleSpecifier.text}.ts`));
    for (const element of statement.importClause.namedBindings.elements) {
      imports.set(element.name.text, `${target}#${(element.propertyName ?? element.name).text}`);
    }
  }
  return imports;
}

function propertyType(node, name) {
  return node.members.find((member) => member.name.text === name)?.type;
}

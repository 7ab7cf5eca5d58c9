/** Every regular expression of the sources whose pattern is known without running them. For tests only. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface Pattern {
  /** `src/…/file.ts:12`. */
  readonly at: string;
  readonly source: string;
  readonly flags: string;
}

/** `unknown`: places of `new RegExp` whose pattern depends on what the program is given. */
export function collectPatterns(root: string): { readonly patterns: Pattern[]; readonly unknown: string[] } {
  const patterns: Pattern[] = [];
  const unknown: string[] = [];
  const names = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  for (const name of names.filter(isProduct).sort()) {
    const text = readFileSync(join(root, 'src', name), 'utf8');
    const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
    const at = (node: ts.Node) => `src/${name}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        patterns.push({ at: at(node), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
      } else if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') {
        const [first, second] = node.arguments ?? [];
        const source = first === undefined ? null : fold(first, file);
        const flags = second === undefined ? '' : fold(second, file);
        if (source === null || flags === null) unknown.push(at(node));
        else patterns.push({ at: at(node), source, flags });
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return { patterns, unknown };
}

function isProduct(name: string): boolean {
  return /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && !/^(?:testing|contract\/generated)\//.test(name);
}

/** The value of a constant text; null when it is none. */
function fold(node: ts.Node, file: ts.SourceFile): string | null {
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node))
    return node.text.replaceAll('_', ts.isNumericLiteral(node) ? '' : '_');
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw') return foldRaw(node.template, file);
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return fold(node.expression, file);
  if (
    ts.isPropertyAccessExpression(node) &&
    node.name.text === 'source' &&
    ts.isRegularExpressionLiteral(node.expression)
  )
    return node.expression.text.slice(1, node.expression.text.lastIndexOf('/'));
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return joined([fold(node.left, file), fold(node.right, file)]);
  if (ts.isTemplateExpression(node))
    return joined([
      node.head.text,
      ...node.templateSpans.flatMap((span) => [fold(span.expression, file), span.literal.text]),
    ]);
  if (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'join'
  ) {
    const [separator] = node.arguments;
    const list = foldList(node.expression.expression, file);
    const between = separator === undefined ? ',' : fold(separator, file);
    return list === null || between === null ? null : list.join(between);
  }
  const value = constantOf(node, file);
  return value === null ? null : fold(value, file);
}

/** Escapes stay as they are written. */
function foldRaw(node: ts.TemplateLiteral, file: ts.SourceFile): string | null {
  const raw = (part: ts.TemplateLiteralLikeNode) => part.rawText ?? part.text;
  if (ts.isNoSubstitutionTemplateLiteral(node)) return raw(node);
  return joined([
    raw(node.head),
    ...node.templateSpans.flatMap((span) => [fold(span.expression, file), raw(span.literal)]),
  ]);
}

function foldList(node: ts.Node, file: ts.SourceFile): string[] | null {
  if (ts.isAsExpression(node)) return foldList(node.expression, file);
  if (ts.isArrayLiteralExpression(node)) {
    const parts = node.elements.map((one) => fold(one, file));
    return parts.every((part) => part !== null) ? parts : null;
  }
  const value = constantOf(node, file);
  return value === null ? null : foldList(value, file);
}

/** What a constant of the same file is made from. */
function constantOf(node: ts.Node, file: ts.SourceFile): ts.Expression | null {
  if (!ts.isIdentifier(node)) return null;
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations)
      if (ts.isIdentifier(name) && name.text === node.text) return initializer ?? null;
  }
  return null;
}

const joined = (parts: readonly (string | null)[]): string | null =>
  parts.every((part) => part !== null) ? parts.join('') : null;

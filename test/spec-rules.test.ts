/** Every numbered promise in docs/spec is cited by a test name, and every citation has its promise. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const TEST_FUNCTIONS = new Set(['test', 'it', 'describe', 'suite']);

/** Rule numbers of a spec page: lines such as `- **[TR3]** text`. */
function rulesOf(markdown: string): string[] {
  return [...markdown.matchAll(/^\s*[-*] \*\*\[([A-Z]+\d+[a-z]?)\]\*\* \S/gm)].map(([, rule]) => rule ?? '');
}

/** Rule numbers that the names of running tests cite. A skipped or planned test proves nothing, so it cites nothing. */
function citationsOf(text: string): string[] {
  const source = ts.createSourceFile('file.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const cited: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const [first] = node.arguments;
      const words = calleeWords(node.expression);
      const isTest = TEST_FUNCTIONS.has(words[0] ?? '') && !words.includes('skip') && !words.includes('todo');
      if (isTest && first && (ts.isStringLiteralLike(first) || ts.isTemplateExpression(first))) {
        cited.push(...[...first.getText().matchAll(/\[([A-Z]+\d+[a-z]?)\]/g)].map(([, rule]) => rule ?? ''));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return cited;
}

/** `test.each(rows)` → `['test', 'each']`. */
function calleeWords(node: ts.Node): string[] {
  if (ts.isIdentifier(node)) return [node.text];
  if (ts.isPropertyAccessExpression(node)) return [...calleeWords(node.expression), node.name.text];
  if (ts.isCallExpression(node)) return calleeWords(node.expression);
  if (ts.isTaggedTemplateExpression(node)) return calleeWords(node.tag);
  return [];
}

/**
 * What `docs/user/security.md` promises, sentence by sentence: its list items. A sentence ends at a full stop, or a colon at the end of its item.
 * Paragraphs explain, or say what is not promised.
 */
function promisesOf(markdown: string): string[] {
  const withoutCode = markdown.replace(/^```[\s\S]*?^```$/gm, '');
  const items = [...withoutCode.matchAll(/^- (.+(?:\n {2}.+)*)/gm)].map(([, item]) =>
    (item ?? '').replace(/\s+/g, ' '),
  );
  return items.flatMap((item) => item.split(/(?<=[.:])\s+(?=[A-Z*`])/));
}

const namedRules = (text: string): string[] =>
  [...text.matchAll(/\[([A-Z]+\d+[a-z]?)\]/g)].map(([, rule]) => rule ?? '');

async function readAll(folder: string, pattern: RegExp): Promise<string[]> {
  if (!existsSync(join(ROOT, folder))) return [];
  const names = await readdir(join(ROOT, folder), { recursive: true });
  const wanted = names.filter((name) => pattern.test(name) && !name.startsWith('fixtures/')).sort();
  return Promise.all(wanted.map((name) => readFile(join(ROOT, folder, name), 'utf8')));
}

const pages = await readAll('docs/spec', /\.md$/);
const rules = pages.flatMap(rulesOf);
const tests = [...(await readAll('src', /\.test\.tsx?$/)), ...(await readAll('test', /\.(test|spec)\.tsx?$/))];
const citations = new Set(tests.flatMap(citationsOf));

describe('the numbered rules of docs/spec', () => {
  test('have each their own number', () => {
    expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([]);
  });
  test('are each cited by a test', () => {
    expect(rules.filter((rule) => !citations.has(rule))).toEqual([]);
  });
  test('exist where a test cites one', () => {
    expect([...citations].filter((rule) => !rules.includes(rule)).sort()).toEqual([]);
  });
});

describe('[DC6] the promises of docs/user/security.md', async () => {
  const page = await readFile(join(ROOT, 'docs/user/security.md'), 'utf8');
  test('name each the rules they rest on', () => {
    const promises = promisesOf(page);
    expect(promises.length).toBeGreaterThan(40);
    expect(promises.filter((sentence) => namedRules(sentence).length === 0)).toEqual([]);
  });
  test('name only rules that exist and that a test cites', () => {
    const named = namedRules(page);
    expect(named.filter((rule) => !rules.includes(rule))).toEqual([]);
    expect(named.filter((rule) => !citations.has(rule))).toEqual([]);
  });
  test('are told apart from what is not promised, which stands in each section', () => {
    const refusals = page.split('\n').filter((line) => line.startsWith('Not promised: '));
    const sections = page
      .split(/^## /m)
      .filter((section) => section.startsWith('Against ') || section.startsWith('Promised '));
    expect(sections.filter((section) => !section.includes('\nNot promised: '))).toEqual([]);
    expect(refusals.length).toBeGreaterThanOrEqual(sections.length);
  });
});

describe('the matcher', () => {
  test('looks at the real tests', () => {
    expect(tests.length).toBeGreaterThanOrEqual(3);
    expect(citations.size).toBeGreaterThan(0);
  });
  test('reads rules from a page', () => {
    const page = [
      '# Transcript',
      'See **[TR9]** in prose.',
      '- **[TR1]** Entries are dense.',
      '  - **[TR2a]** Nested.',
      '- **[TR3]**',
      '- [TR4] Not bold.',
      '* **[CX12]** Star bullet.',
    ].join('\n');
    expect(rulesOf(page)).toEqual(['TR1', 'TR2a', 'CX12']);
  });
  test('reads promises from list items, a sentence at a time', () => {
    const page = [
      'Not promised: this. Nor this.',
      '- One holds [TR1]. Another',
      '  is longer [TR2a] [TR3]. *Third* names none.',
      '',
      '```sh',
      '- no item. None',
      '```',
      '- It is so [TR4]:',
    ].join('\n');
    expect(promisesOf(page)).toEqual([
      'One holds [TR1].',
      'Another is longer [TR2a] [TR3].',
      '*Third* names none.',
      'It is so [TR4]:',
    ]);
    expect(namedRules('a [TR1] b [TR2a], not [this](#tr3)')).toEqual(['TR1', 'TR2a']);
  });
  test('reads citations from test names only', () => {
    const file = [
      '// [ZZ1] in a comment',
      "const text = '[ZZ2] in a string';",
      "test('[TR1] plain', () => { expect('[ZZ3]').toBe(1); });",
      "it('[TR2a][TR3] two at once', run);",
      "test.each(rows)('[EV1] table %s', run);",
      "describe('[EV2] group', () => {});",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a program
      'test(`[EV3] template ${name}`, run);',
      "test.skipIf(isMac)('[EV4] conditional', run);",
      "test.skip('[ZZ4] skipped', run);",
      "test.todo('[ZZ5] planned');",
      "other('[ZZ6] not a test');",
    ].join('\n');
    expect(citationsOf(file)).toEqual(['TR1', 'TR2a', 'TR3', 'EV1', 'EV2', 'EV3', 'EV4']);
  });
});

/** Hostile text in every kind of row, streamed by character and replayed: nothing runs, nothing is fetched, nothing is hidden. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { NewEntry } from '../../src/contract/entry.ts';
import { GENERATED, HOSTILE, KNOWN, SEED } from './hostile-corpus.ts';
import { PROBE } from './probe.ts';
import { dock, eventually, expectClean, row, say, script, setStage, TINY_MCP, transcript, turnsDone } from './stage.ts';
import { writeTranscripts } from './write-transcript.ts';

const stage = setStage({ codexConfig: TINY_MCP });
let replayed = '';
let nested = '';
beforeAll(async () => {
  [replayed = '', nested = ''] = await writeTranscripts(
    stage.box,
    REPLAYED.flatMap(everywhere),
    NESTED.flatMap(formatted),
  );
});

/** Three generated strings an entry: each goes through every kind of row, in a third of the rows. */
const REPLAYED = [...threes(GENERATED), ...KNOWN];

function threes(all: readonly string[]): readonly string[] {
  return Array.from({ length: Math.ceil(all.length / 3) }, (_, at) => all.slice(at * 3, at * 3 + 3).join('\n\n'));
}

/** Texts that overflow or stall a Markdown lexer that has no limits. */
const NESTED = ['>'.repeat(2_000), '_a_'.repeat(33_000), `${'- '.repeat(1_500)}a`];

/** One entry of each role that is formatted. */
function formatted(text: string, at: number): NewEntry[] {
  const from = (name: string) => ({ turn_id: `turn-${at}`, item_id: `${name}-${at}` });
  return [
    { role: 'assistant', text, status: 'completed', ...from('a') },
    { role: 'reasoning', text, status: 'completed', ...from('r') },
    { role: 'plan', steps: [], text, ...from('p') },
    {
      role: 'board',
      text,
      num: at + 1,
      who: 'ada',
      kind: 'note',
      topic: null,
      reply_to: null,
      told: false,
      from_conversation_id: null,
      ...from('b'),
    },
  ];
}

/** One entry of each role that carries text of others. */
function everywhere(text: string, at: number): NewEntry[] {
  const from = (name: string) => ({ turn_id: `turn-${at}`, item_id: `${name}-${at}` });
  const line = text.replaceAll(/[\r\n]/g, ' ');
  const diff = `diff --git a/${line} b/${line}\n--- a/${line}\n+++ b/${line}\n@@ -1 +1 @@ ${line}\n-${line}\n+${line}!\n`;
  return [
    {
      role: 'user',
      text,
      images: [
        { kind: 'url', value: 'https://evil.test/i.png' },
        { kind: 'path', value: text },
      ],
      ...from('u'),
    },
    { role: 'reasoning', text, status: 'completed', ...from('r') },
    { role: 'assistant', text, status: 'completed', questions: [{ title: text, options: [text] }], ...from('a') },
    { role: 'plan', steps: [{ step: text, status: 'pending' }], text, ...from('p') },
    {
      role: 'command',
      command: text,
      cwd: `/${line}`,
      output: text,
      exit_code: 1,
      duration_ms: 1,
      status: 'failed',
      actions: [{ type: 'read', path: text }],
      ...from('c'),
    },
    { role: 'shell_output', command: text, stdout: text, stderr: text, exit_code: 0, duration_ms: 1, ...from('s') },
    { role: 'diff', diff_id: `d${at}`, diff, files: [{ path: line, kind: 'update' }], status: 'failed', ...from('d') },
    {
      role: 'approval',
      approval_id: `apr_${at}`,
      kind: 'command',
      status: 'declined',
      title: text,
      command: text,
      ...from('ap'),
    },
    {
      role: 'approval',
      approval_id: `apr_q${at}`,
      kind: 'questions',
      status: 'accepted',
      decision: 'accept',
      title: text,
      questions: [{ header: text, question: text, answers: [text, text] }],
      ...from('aq'),
    },
    {
      role: 'tool',
      kind: 'mcp',
      name: text,
      server: text,
      input: text,
      output: text,
      error: text,
      status: 'failed',
      duration_ms: 1,
      ...from('t'),
    },
    { role: 'error', text, ...from('e') },
    { role: 'warning', text, ...from('w') },
    { role: 'note', kind: 'api', text, ...from('n') },
    {
      role: 'board',
      text,
      num: at + 1,
      who: text,
      kind: 'note',
      topic: text,
      reply_to: null,
      told: false,
      from_conversation_id: null,
      ...from('b'),
    },
  ];
}

interface Findings {
  readonly pwned: unknown;
  readonly elements: readonly string[];
  readonly links: readonly string[];
  readonly approvals: number;
  /** Roles of rows that hold a control or direction character. */
  readonly controls: readonly string[];
}

/** What must not be there, now: looked for in the page itself. */
function look(page: Page): Promise<Findings> {
  return page.evaluate<Findings>(`(() => {
    const all = (what) => [...document.querySelectorAll(what)];
    return {
      pwned: window.__pwned ?? null,
      elements: all('#root :is(script, iframe, object, embed, base, style, link, form:not(:has(#composer)), img[src^="http"], video, math, template)').map((one) => one.outerHTML),
      links: all('#root a[href]').map((one) => one.getAttribute('href')).filter((href) => !/^(https?:\\/\\/|mailto:|#)/.test(href)),
      approvals: all('[data-approval]').length,
      controls: all('[data-role]').filter((row) => /[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]/.test(row.textContent)).map((row) => row.dataset.role),
    };
  })()`);
}

/** Long text can be allowed only when its end was shown. */
async function allow(page: Page): Promise<void> {
  const button = dock(page).getByRole('button', { name: 'Allow once' });
  const end = dock(page).getByRole('button', { name: 'Show the end' });
  await eventually(async () => {
    if (await end.isVisible()) await end.click();
    return button.isEnabled();
  }).toBe(true);
  await button.click();
}

const NOTHING: Findings = { pwned: null, elements: [], links: [], approvals: 0, controls: [] };

test(`[PG19] the corpus has at least 200 strings, each its own; seed ${SEED}`, () => {
  expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(200);
  expect(new Set(HOSTILE).size).toBe(HOSTILE.length);
});

test('[PG19] replayed in every kind of row, opened, from the end to the beginning: nothing runs, no control character is left', async () => {
  const visit = await stage.open({ conversationId: replayed, probe: PROBE });
  const { page } = visit;
  await transcript(page).hover();
  await page.mouse.wheel(0, -600);
  await page.getByRole('button', { name: 'Staying where you read' }).waitFor();
  const seen = new Set<string>();
  for (let step = 0; step < 120; step++) {
    for (const key of await page.evaluate<string[]>(`(() => {
      for (const one of document.querySelectorAll('[data-key] button[aria-expanded="false"]')) one.click();
      return __probe.rows().map((row) => row.dataset.key); })()`))
      seen.add(key);
    expect(await look(page)).toEqual(NOTHING);
    if ((await transcript(page).getByText('The beginning', { exact: true }).count()) > 0) break;
    await page.evaluate('__probe.pageBack(1)');
  }
  const want = REPLAYED.flatMap((_text, at) => ['a', 'c', 'd', 't', 'e'].map((name) => `${name}-${at}`));
  const ids = new Set([...seen].map((key) => key.split(':').at(-1)));
  expect(want.filter((one) => !ids.has(one))).toEqual([]);
  expectClean(visit);
  await visit.shot('hostile');
}, 60_000);

test('[PG19] streamed by character: message and reasoning', async () => {
  const { visit, page } = await stage.fresh({}, { probe: PROBE });
  const texts = HOSTILE.filter((text) => text.trim() !== '');
  await say(
    page,
    script(
      stage.box,
      texts.flatMap((text) => [
        { think: text, chunk: 1 },
        { say: text, chunk: 1 },
      ]),
    ),
  );
  await turnsDone(page);
  expect(await look(page)).toEqual(NOTHING);
  await visit.reload();
  expect(await look(page)).toEqual(NOTHING);
  expectClean(visit);
}, 60_000);

test('[PG19] from the real Codex: plan, command output, tool argument, diff path, error, label, title', async () => {
  const all = HOSTILE.join('\n');
  await writeFile(join(stage.box.project, 'hostile.txt'), all);
  const path = '<img src=x onerror=__pwned=1> [x](javascript:1)';
  const { id, visit, page } = await stage.fresh({ approval: 'untrusted' }, { probe: PROBE });
  const word = script(
    stage.box,
    [{ call: 'update_plan', args: { plan: HOSTILE.map((step) => ({ step, status: 'pending' })) } }],
    [{ call: 'exec_command', args: { cmd: 'cat hostile.txt', login: false } }],
    [{ call: 'plain', args: { word: all }, namespace: 'mcp__tiny' }],
    [{ custom: 'apply_patch', input: `*** Begin Patch\n*** Add File: ${path}\n+${HOSTILE[0]}\n*** End Patch\n` }],
  );
  stage.box.model.push({ match: word, status: 400, body: { error: { message: all } } });
  await say(page, `${word} ${all}`);
  for (const what of ['Runs a command', 'Calls a tool of tiny', 'Writes 1 file']) {
    await dock(page).getByText(what).waitFor();
    expect(await look(page)).toEqual({ ...NOTHING, approvals: 1 });
    await allow(page);
  }
  await turnsDone(page);
  await row(page, 'error').waitFor();
  for (let at = 0; at < HOSTILE.length; at += 4) {
    const label = HOSTILE.slice(at, at + 4)
      .join(' ')
      .slice(0, 199);
    await stage.box.must('patchConversation', { id, label });
  }
  await eventually(() => page.title()).toContain('[[[');
  expect(await look(page)).toEqual(NOTHING);
  await visit.reload();
  expect(await look(page)).toEqual(NOTHING);
  expectClean(visit);
  await visit.shot('hostile-live');
}, 60_000);

test('[PG60] deep and endless Markdown is shown as plain text, and what waits can be answered, also after a reload', async () => {
  const { visit, page } = await stage.fresh({ approval: 'untrusted' });
  const run = { call: 'exec_command', args: { cmd: 'touch answered', login: false } };
  const word = script(stage.box, [...NESTED.map((text) => ({ say: text, chunk: 2_000 })), run], [{ say: 'done' }]);
  await say(page, word);
  await dock(page).waitFor();
  await eventually(() => page.locator('[data-plain]').count()).toBe(NESTED.length);
  await page.getByText('Shown as plain text: too deeply nested to format.').first().waitFor();
  await page.getByText('Shown as plain text: too long to format.').first().waitFor();
  expect(await page.locator('[data-plain]').first().innerText()).toContain('>'.repeat(2_000));
  await visit.shot('plain-text');
  await visit.reload();
  await dock(page).getByRole('button', { name: 'Allow once' }).click();
  await turnsDone(page);
  expectClean(visit);
}, 60_000);

test('[PG60] the same in every row that is formatted, replayed', async () => {
  const visit = await stage.open({ conversationId: nested });
  const { page } = visit;
  await page.evaluate(
    `for (const one of document.querySelectorAll('[data-role=reasoning] button[aria-expanded=false]')) one.click()`,
  );
  await eventually(() => page.locator('[data-plain]').count()).toBe(4 * NESTED.length);
  expectClean(visit);
}, 60_000);

/** A renderer with a bug: it throws for one word. */
const BUG = `(() => {
  const replace = String.prototype.replace;
  String.prototype.replace = function (...args) {
    if (String(this).includes('PLANTED')) throw new Error('planted');
    return Reflect.apply(replace, this, args);
  };
})();`;

test('[PG61] a row that fails shows its text; the others, approvals and Stop go on', async () => {
  const { id, page } = await stage.fresh({ approval: 'untrusted' }, { probe: BUG });
  const run = { call: 'exec_command', args: { cmd: 'touch answered', login: false } };
  const word = script(stage.box, [{ say: 'PLANTED answer \u202e' }, run], [{ say: 'a *good* answer' }], [run]);
  await stage.box.must('sendMessage', { conversation_id: id, text: `PLANTED ${word}` });
  for (const role of ['user', 'assistant']) await row(page, role).getByText('This entry could not be shown').waitFor();
  expect(await row(page, 'assistant').innerText()).toContain('PLANTED answer ⟨U+202E⟩');
  await dock(page).getByRole('button', { name: 'Allow once' }).click();
  await turnsDone(page);
  await row(page, 'assistant').getByText('a good answer').waitFor();
  await say(page, `again ${word}`);
  await dock(page).waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await turnsDone(page, 2);
}, 60_000);

test('[PG64] names of a directory and a conversation are one line, with nothing hidden, wherever they are shown', async () => {
  const cwd = join(stage.box.project, 'evil\u202egnp.exe\x1b[31m\n\u200bdir\u{e0041}');
  await mkdir(cwd, { recursive: true });
  // Wide enough for the directory to stay in the header.
  const { id, page } = await stage.fresh({ cwd }, { viewport: { width: 1600, height: 900 } });
  const shown = 'evil\\u202egnp.exe\\x1b[31m\\n\\u200bdir\\u{e0041}';
  await page.getByRole('complementary').getByText(shown).waitFor();
  await page.locator('main header').getByText(shown).waitFor();
  await eventually(() => page.title()).toContain(shown);
  await stage.box.must('patchConversation', { id, label: 'label \u202e\u2066\u200b\u{e0041}' });
  await eventually(() => page.title()).toContain('label \\u202e\\u2066\\u200b\\u{e0041}');
  await stage.box.create({ label: 'another \u202e label' });
  await page.getByRole('complementary').getByText('another \\u202e label').first().waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('another');
  await page.getByRole('dialog').getByText('another \\u202e label').first().waitFor();
  const HIDDEN = /[\x00-\x08\x0b-\x1f\u200b\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e0fff}]/u;
  expect(await page.locator('body').innerText()).not.toMatch(HIDDEN);
  const titles = await page
    .locator('[title], [aria-label]')
    .evaluateAll((all) => all.map((one) => `${one.getAttribute('title')} ${one.getAttribute('aria-label')}`));
  expect(titles.filter((one) => HIDDEN.test(one) || one.includes('\n'))).toEqual([]);
});

/** What is said and thought, made by the real Codex: as it happens, after a reload, and on a phone. */
import { beforeAll, expect, test } from 'vitest';
import { begin, button, expectSameLater, readRows, row, say, setStage, turnsDone } from './stage.ts';
import { writeTranscripts } from './write-transcript.ts';

const stage = setStage();
let past = '';
beforeAll(async () => {
  [past = ''] = await writeTranscripts(stage.box, [
    { role: 'user', text: 'before' },
    { role: 'warning', text: 'the server `broken` did not start', code: 'mcp_server_failed' },
  ]);
});

const MARKDOWN = `# Findings

| file | lines |
|---|---:|
| a.ts | 12 |
| b.ts | 7 |

- [x] read the code
- [ ] write a test

\`\`\`ts
export const answer = 42;
\`\`\`

See [the docs](https://example.org/docs) and citeturn1file0L11-L26 **this**.`;

test('[PG1] a message and its answer: table, tasks, code with a copy button, link, citation', async () => {
  const { word, visit, page } = await begin(stage, {}, [{ say: MARKDOWN, chunk: 3 }]);
  await turnsDone(page);
  await row(page, 'user').getByText(`do ${word}`).waitFor();
  const answer = row(page, 'assistant');
  expect(await answer.getByRole('cell').allInnerTexts()).toEqual(['a.ts', '12', 'b.ts', '7']);
  expect(await answer.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/☑\s*read the code/),
    expect.stringMatching(/☐\s*write a test/),
  ]);
  expect(await answer.getByRole('link').getAttribute('href')).toBe('https://example.org/docs');
  expect(await answer.innerText()).not.toContain('cite');
  await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await answer.getByRole('figure').getByRole('button', { name: 'Copy' }).click();
  await answer.getByRole('figure').getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('export const answer = 42;');
  await expectSameLater(visit, 'message');
});

test('[PG1] an answer as plain text stays so after a reload', async () => {
  const { visit, page } = await begin(stage, {}, [{ say: '**bold** words' }]);
  await turnsDone(page);
  await row(page, 'assistant').locator('strong').waitFor();
  await button(page, 'Conversation settings').click();
  await page.getByRole('checkbox', { name: 'Markdown' }).click();
  await page.keyboard.press('Escape');
  await row(page, 'assistant').getByText('**bold** words').waitFor();
  await expectSameLater(visit, 'plain-text');
});

test('[PG2] consecutive thoughts are one closed line, and open on demand', async () => {
  const { visit, page } = await begin(stage, {}, [
    { think: ['**Looking** at the parser', 'Then the lexer'], chunk: 4 },
    { think: '**Deciding** what to do' },
    { gate: 'thought' },
    { say: 'decided' },
  ]);
  const thought = row(page, 'reasoning');
  await thought.waitFor();
  await visit.shot('reasoning-running');
  stage.box.model.release('thought');
  await turnsDone(page);
  expect(await thought.count()).toBe(1);
  const head = thought.getByRole('button', { name: /^Thought/ });
  expect(await head.getAttribute('aria-expanded')).toBe('false');
  expect(await thought.innerText()).not.toContain('lexer');
  await expectSameLater(visit, 'reasoning');
  await head.click();
  expect(await thought.innerText()).toMatch(/Looking at the parser[\s\S]*Then the lexer[\s\S]*Deciding what to do/);
  await visit.shot('reasoning-open');
});

test('[PG3] a plan shows how far it is while it goes on, and its last state afterwards', async () => {
  const plan = (...status: readonly string[]) => ({
    call: 'update_plan',
    args: { plan: status.map((one, at) => ({ step: `step ${at + 1}`, status: one })) },
  });
  const { visit, page } = await begin(
    stage,
    {},
    [plan('completed', 'in_progress', 'pending')],
    [{ gate: 'planned' }, plan('completed', 'completed', 'completed')],
    [{ say: 'planned' }],
  );
  await row(page, 'plan').getByText('1 of 3 done').waitFor();
  expect(await row(page, 'plan').getByRole('img').allInnerTexts()).toEqual(['☑', '◐', '☐']);
  await visit.shot('plan-running');
  stage.box.model.release('planned');
  await turnsDone(page);
  await row(page, 'plan').getByText('3 of 3 done').waitFor();
  await expectSameLater(visit, 'plan');
});

test('[PG4] an error of the model says what happened, and the turn ends as failed', async () => {
  const id = await stage.box.create();
  stage.box.model.push({ match: 'breaks', status: 400, body: { error: { message: 'no such thing as that' } } });
  const visit = await stage.open({ conversationId: id });
  await say(visit.page, 'this breaks');
  await turnsDone(visit.page);
  const error = row(visit.page, 'error');
  await error.getByText('No such thing as that.', { exact: true }).waitFor();
  await error.getByText('Send your message again, or go on with another.').waitFor();
  expect(await error.innerText()).not.toContain('{');
  await error.getByText('Exact words').click();
  await error.getByText('"no such thing as that"').waitFor();
  await error.getByText('Exact words').click();
  await row(visit.page, 'status')
    .getByText(/^Failed/)
    .waitFor();
  await expectSameLater(visit, 'error');
});

test('[PG4] notes and warnings are quiet rows of their own', async () => {
  const visit = await stage.open({ conversationId: past });
  await row(visit.page, 'warning').getByText('the server `broken` did not start').waitFor();
  await stage.box.must('appendNote', { conversation_id: past, text: 'deployed to staging' });
  await row(visit.page, 'note').getByText('deployed to staging').waitFor();
  await expectSameLater(visit, 'note');
});

test('[PG5] a turn that was stopped keeps what was said and says that it was stopped', async () => {
  const { visit, page } = await begin(stage, {}, [{ say: 'half of it', chunk: 2 }, { gate: 'never' }, { say: 'x' }]);
  await row(page, 'assistant').getByText('half of it').waitFor();
  await button(page, 'Stop').click();
  await turnsDone(page);
  await row(page, 'status')
    .getByText(/^Stopped/)
    .waitFor();
  expect(await readRows(page)).toContainEqual(expect.stringContaining('half of it'));
  await expectSameLater(visit, 'stopped');
});

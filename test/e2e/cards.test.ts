/** Every kind of row, made by the real Codex: as it happens, after a reload, and on a phone. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSameLater, openStage, row, say, script, type Stage, transcript, turnsDone } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

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
  const word = script(stage.box, [{ say: MARKDOWN, chunk: 3 }]);
  const id = await stage.box.create();
  const visit = await stage.open({ conversationId: id });
  const { page } = visit;
  await say(page, `please look ${word}`);
  await turnsDone(page);
  await row(page, 'user').getByText(`please look ${word}`).waitFor();
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
  await answer.getByRole('figure').getByRole('button', { name: 'Copy', exact: true }).waitFor();
  await expectSameLater(stage, visit, id, 'message');
  expect(await transcript(page).count()).toBe(1);
  await visit.close();
});

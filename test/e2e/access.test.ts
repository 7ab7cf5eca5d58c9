/** axe-core on every screen, light and dark. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { button, dock, script, setStage } from './stage.ts';

const stage = setStage();
let full: string;
let asking: string;
const run = (cmd: string) => ({ call: 'exec_command', args: { cmd, login: false } });
beforeAll(async () => {
  full = await stage.box.create({ approval: 'never', label: 'with everything' });
  const patch = '*** Begin Patch\n*** Add File: axe.txt\n+one\n*** End Patch\n';
  const plan = {
    plan: [
      { step: 'look', status: 'completed' },
      { step: 'act', status: 'in_progress' },
    ],
  };
  const word = script(
    stage.box,
    [{ think: '**Thinking** of it' }, { call: 'update_plan', args: plan }],
    [run("printf '\\033[31mred\\033[32mgreen\\033[34mblue\\033[0m\\n'; exit 2")],
    [{ custom: 'apply_patch', input: patch }],
    [
      {
        say: '# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n\n```ts\nlet a = 1;\n```\n\n[link](https://example.org)',
      },
    ],
  );
  await stage.box.must('shellExec', { conversation_id: full, command: 'seq 100; false' });
  const watcher = await stage.box.watch(full);
  await stage.box.must('sendMessage', { conversation_id: full, text: word });
  await watcher.turnEnd();
  await stage.box.must('appendNote', { conversation_id: full, text: 'a note' });
  await stage.box.must('shellExec', { conversation_id: full, command: 'echo next' });
  asking = await stage.box.create({ approval: 'untrusted' });
  const asked = script(stage.box, [run('touch axe')], [{ say: 'done' }]);
  const other = await stage.box.watch(asking);
  await stage.box.must('sendMessage', { conversation_id: asking, text: asked });
  await other.approval();
});

/** Eight screens, and axe looks at every element of each; a busy machine needs its time. */
const AXE_MS = 90_000;
/** Has a test of its own below. */
const NAMES = 'label-content-name-mismatch';

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** One line per serious or critical finding. */
async function findings(page: Page, screen: string): Promise<string[]> {
  await page.evaluate(axe.source);
  const all = await page.evaluate<Violation[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)`,
  );
  return all
    .filter((one) => one.impact === 'serious' || one.impact === 'critical')
    .flatMap((one) =>
      one.nodes.map((node) => `${screen}: ${one.id} ${node.html.slice(0, 160)} ${node.failureSummary}`),
    );
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `[PG29] no serious or critical finding: ${colorScheme}`,
    async () => {
      const visit = await stage.open({ colorScheme });
      const { page } = visit;
      const found = await findings(page, 'home');
      await visit.shot(`home-${colorScheme}`);
      await visit.go(full);
      found.push(...(await findings(page, 'conversation')));
      await visit.shot(`conversation-${colorScheme}`);
      await page.getByText('1 command goes along with your next message').waitFor();
      await page.getByRole('button', { name: /^Context: 1 command/ }).click();
      await page.getByRole('region', { name: 'Commands you ran, exactly as sent' }).waitFor();
      found.push(...(await findings(page, 'context')));
      await visit.shot(`context-${colorScheme}`);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      found.push(...(await findings(page, 'palette')));
      await visit.shot(`palette-${colorScheme}`);
      await page.keyboard.press('Escape');
      await button(page, 'Settings').click();
      await page.getByRole('dialog', { name: 'Settings' }).waitFor();
      found.push(...(await findings(page, 'settings')));
      await visit.shot(`settings-${colorScheme}`);
      await button(page, 'Create a token').click();
      found.push(...(await findings(page, 'token')));
      await button(page, 'Create a token').click();
      await page.getByRole('alertdialog').waitFor();
      found.push(...(await findings(page, 'confirmation')));
      await visit.shot(`confirmation-${colorScheme}`);
      await page.keyboard.press('Escape');
      await page.getByRole('alertdialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await button(page, 'Conversation settings').click();
      await page.getByRole('dialog', { name: 'Conversation settings' }).waitFor();
      found.push(...(await findings(page, 'details')));
      await visit.shot(`details-${colorScheme}`);
      await page.keyboard.press('Escape');
      await visit.go(asking);
      await dock(page).waitFor();
      found.push(...(await findings(page, 'approval')));
      await visit.shot(`dock-${colorScheme}`);
      expect(found.filter((one) => !one.includes(NAMES))).toEqual([]);
    },
    AXE_MS,
  );
}

test('[PG29] the name of a button includes what is written on it', async () => {
  const { page } = await stage.open({ conversationId: full });
  const found = await findings(page, 'conversation');
  expect(found.filter((one) => one.includes(NAMES))).toEqual([]);
});

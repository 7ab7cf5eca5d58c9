/** Writing: images, input methods, the queue by keyboard, and drafts that other devices have too. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { begin, button, composer, eventually, expectClean, row, say, setStage, turnsDone } from './stage.ts';

const stage = setStage();

/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** As the browser hands files over: by the clipboard, or dragged in. */
function give(page: Page, how: 'paste' | 'drop', name: string, type: string, base64 = PNG): Promise<unknown> {
  const [event, holder] = how === 'paste' ? ['ClipboardEvent', 'clipboardData'] : ['DragEvent', 'dataTransfer'];
  return page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob(${JSON.stringify(base64)}), (one) => one.charCodeAt(0));
    const files = new DataTransfer();
    files.items.add(new File([bytes], ${JSON.stringify(name)}, { type: ${JSON.stringify(type)} }));
    const box = document.getElementById('composer');
    box.dispatchEvent(new ${event}(${JSON.stringify(how)}, { ${holder}: files, bubbles: true, cancelable: true }));
  })()`);
}

const tray = (page: Page) => page.locator('form').getByRole('img');

test('[PG33] images pasted and dropped go with the message; what is no image is named and left out', async () => {
  const { visit, page } = await stage.fresh();
  await give(page, 'paste', 'pasted.png', 'image/png');
  await eventually(() => tray(page).count()).toBe(1);
  await give(page, 'drop', 'dropped.png', 'image/png');
  await eventually(() => tray(page).count()).toBe(2);
  await give(page, 'drop', 'notes.txt', 'text/plain');
  await page.getByRole('alert').getByText('notes.txt is not an image.').waitFor();
  await visit.shot('images');
  await button(page, 'Remove dropped.png').click();
  await eventually(() => tray(page).count()).toBe(1);
  await say(page, 'what is this');
  await turnsDone(page);
  await eventually(() => tray(page).count()).toBe(0);
  await row(page, 'user').locator('img').waitFor();
  const request = await stage.box.model.waitForRequest(({ rawBody }) => rawBody.includes('what is this'));
  expect(request.rawBody).toContain(`data:image/png;base64,${PNG.slice(0, 40)}`);
  await visit.reload();
  await row(page, 'user').locator('img').waitFor();
  expectClean(visit);
});

test('[PG34] Enter takes what an input method offers and sends nothing; the next Enter sends', async () => {
  const { visit, page } = await stage.fresh();
  const keyboard = await visit.context.newCDPSession(page);
  await composer(page).focus();
  await keyboard.send('Input.imeSetComposition', { text: 'にほn', selectionStart: 3, selectionEnd: 3 });
  await eventually(() => composer(page).inputValue()).toBe('にほn');
  for (const key of ['Enter', 'ArrowUp', 'Escape', 'Escape']) {
    await composer(page).dispatchEvent('keydown', { key, isComposing: true, bubbles: true, cancelable: true });
  }
  expect(await composer(page).inputValue()).toBe('にほn');
  await keyboard.send('Input.insertText', { text: '日本' });
  await eventually(() => composer(page).inputValue()).toBe('日本');
  expect(await row(page, 'user').count()).toBe(0);
  await composer(page).press('Enter');
  await row(page, 'user').getByText('日本').waitFor();
  await turnsDone(page);
  expectClean(visit);
});

const queued = (page: Page) => page.getByRole('region', { name: /queued/ }).getByRole('listitem');
const act = (page: Page, at: number, name: string) => queued(page).nth(at).getByRole('button', { name });

test('[PG21] the queue by keyboard: move, edit, remove, and the focus stays', async () => {
  const { visit, page } = await begin(stage, {}, [
    { say: 'working', phase: 'commentary' },
    { gate: 'q' },
    { say: 'x' },
  ]);
  await row(page, 'assistant').getByText('working').waitFor();
  for (const text of ['first', 'second']) {
    await composer(page).fill(text);
    await composer(page).press('Control+Enter');
    await queued(page).getByText(text).waitFor();
  }
  await act(page, 1, 'Move up').focus();
  await page.keyboard.press('Enter');
  await eventually(() => queued(page).first().innerText()).toContain('second');
  expect(await page.evaluate('document.activeElement?.getAttribute("aria-label")')).toBe('Move up');
  await act(page, 0, 'Edit').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
  await page.keyboard.type(' thought');
  await page.keyboard.press('Control+Enter');
  await queued(page).first().getByText('second thought').waitFor();
  expect(await page.evaluate('document.activeElement?.getAttribute("aria-label")')).toBe('Edit');
  await act(page, 1, 'Remove').focus();
  await page.keyboard.press('Enter');
  await eventually(() => queued(page).count()).toBe(1);
  expect(await page.evaluate('document.activeElement?.id')).toBe('composer');
  stage.box.model.release('q');
  await turnsDone(page, 2);
  expect((await row(page, 'user').allInnerTexts()).at(-1)).toContain('second thought');
  expectClean(visit);
});

test('[PG22] a draft reaches another device, which does not lose what it has itself', async () => {
  const id = await stage.box.create();
  const visit = await stage.open({ conversationId: id });
  await composer(visit.page).fill('begun at the desk');
  await eventually(async () => (await stage.box.must('readConversation', { id })).conversation.draft).toBe(
    'begun at the desk',
  );
  const other = await stage.open({ conversationId: id });
  await eventually(() => composer(other.page).inputValue()).toBe('begun at the desk');
  await composer(other.page).fill('finished on the sofa');
  await composer(visit.page).fill('and changed at the desk');
  await visit.reload();
  expect(await composer(visit.page).inputValue()).toBe('and changed at the desk');
});

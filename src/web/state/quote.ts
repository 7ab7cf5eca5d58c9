/** Puts a quotation into the message box, as if it were typed: the box keeps its own draft, undo and caret. */

const COMPOSER_ID = 'composer';

export function quoteIntoDraft(text: string): void {
  const box = document.getElementById(COMPOSER_ID);
  if (!(box instanceof HTMLTextAreaElement)) return;
  const end = box.value.length;
  const gap = end === 0 || box.value.endsWith('\n') ? '' : '\n\n';
  box.focus();
  box.setRangeText(gap + text, end, end, 'end');
  box.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
}

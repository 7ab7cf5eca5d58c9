/** Puts a quotation into the message box, as if it were typed: the box keeps its own draft, undo and caret. */

const COMPOSER_ID = 'composer';

export function quoteIntoDraft(text: string): void {
  insert(text, '\n\n');
}

/** On the line that is being written. */
export function mentionInDraft(text: string): void {
  insert(`${text} `, ' ');
}

function insert(text: string, between: string): void {
  const box = document.getElementById(COMPOSER_ID);
  if (!(box instanceof HTMLTextAreaElement)) return;
  const end = box.value.length;
  const isApart = end === 0 || box.value.endsWith('\n') || (between === ' ' && box.value.endsWith(' '));
  const gap = isApart ? '' : between;
  box.focus();
  box.setRangeText(gap + text, end, end, 'end');
  box.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
}

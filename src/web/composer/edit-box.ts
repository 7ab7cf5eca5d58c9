/** Changes a text box the way a person would, so that its own undo knows them and `input` is heard. */

export function replaceInBox(box: HTMLTextAreaElement, start: number, end: number, text: string): void {
  box.focus();
  box.setSelectionRange(start, end);
  const isDone = text === '' ? document.execCommand('delete', false) : document.execCommand('insertText', false, text);
  if (isDone) return;
  box.setRangeText(text, start, end, 'end');
  box.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' }));
}

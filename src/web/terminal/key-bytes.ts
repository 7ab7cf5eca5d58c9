/** What the keys of the touch bar send. Pure. */

export const BAR_KEYS = ['esc', 'tab', 'left', 'up', 'down', 'right', 'interrupt'] as const;
export type BarKey = (typeof BAR_KEYS)[number];

const ARROWS = { up: 'A', down: 'B', right: 'C', left: 'D' } as const;

/** Programs that asked for application keys get arrows in their other spelling. */
export function bytesOfKey(key: BarKey, isApplicationMode: boolean): string {
  if (key === 'esc') return '\x1b';
  if (key === 'tab') return '\t';
  if (key === 'interrupt') return '\x03';
  return `\x1b${isApplicationMode ? 'O' : '['}${ARROWS[key]}`;
}

/** A letter typed while Ctrl is held on the bar. What has no control letter stays as it is. */
export function withControl(typed: string): string {
  const [one] = typed;
  if (one === undefined || typed.length !== 1) return typed;
  if (one === ' ') return '\x00';
  const code = one.toUpperCase().charCodeAt(0);
  return code >= 0x40 && code <= 0x5f ? String.fromCharCode(code - 0x40) : typed;
}

/** Takes the focus and the typed text for a part whose code is still on its way, so that no key lands in the message box. */
import { en } from '../strings/en.ts';

let held = '';

const focus = (field: HTMLInputElement | null): void => field?.focus();

export function HeldKeys({ onEscape }: { readonly onEscape: () => void }) {
  return (
    <input
      className="visually-hidden"
      aria-label={en.loading}
      ref={focus}
      onChange={(event) => {
        held = event.target.value;
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onEscape();
      }}
    />
  );
}

/** The text that was typed while the part was fetched; empty when asked again. */
export function takeHeldText(): string {
  const text = held;
  held = '';
  return text;
}

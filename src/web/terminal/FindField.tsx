/** Finds text on the screen and in what has scrolled away. */
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { en } from '../strings/en.ts';
import { EN_TERMINAL_PANE } from '../strings/en-terminal-pane.ts';
import { Button } from '../ui/Button.tsx';
import fields from '../ui/Field.module.css';
import styles from './TerminalPane.module.css';
import type { TerminalView } from './terminal-view.ts';
import { useShown } from './use-shown.ts';

export function FindField({ view, onClose }: { readonly view: TerminalView; readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const found = useShown(view, (shown) => shown.found);
  useEffect(() => view.screen.endFind, [view]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter') view.screen.find(text, !event.shiftKey);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <search className={fields.strip} aria-label={EN_TERMINAL_PANE.find}>
      <div className={fields.bar}>
        <input
          type="search"
          className={fields.field}
          aria-label={EN_TERMINAL_PANE.find}
          placeholder={EN_TERMINAL_PANE.find}
          // biome-ignore lint/a11y/noAutofocus: it appears because somebody asked to type here
          autoFocus
          value={text}
          maxLength={400}
          onChange={(event) => {
            setText(event.target.value);
            view.screen.find(event.target.value, true);
          }}
          onKeyDown={onKeyDown}
        />
        <span className={styles.count} role="status">
          {text !== '' && (found.total === 0 ? en.find.nothing : en.find.of(found.at + 1, String(found.total)))}
        </span>
        <Button
          tone="quiet"
          icon={<ChevronUp size={16} />}
          name={en.find.previous}
          onClick={() => view.screen.find(text, true)}
        />
        <Button
          tone="quiet"
          icon={<ChevronDown size={16} />}
          name={en.find.next}
          onClick={() => view.screen.find(text, false)}
        />
        <Button tone="quiet" icon={<X size={16} />} name={en.close} onClick={onClose} />
      </div>
    </search>
  );
}

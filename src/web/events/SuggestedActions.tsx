/** What an event's sender suggests. Nothing happens by itself: an address is shown whole first, a prompt only fills the message box. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ExternalEvent } from '../../contract/external-event.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showExact, showText } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { OutsideLink } from '../ui/OutsideLink.tsx';
import { openableUrl } from './describe-event.ts';
import styles from './EventsPanel.module.css';

type SuggestedAction = NonNullable<ExternalEvent['suggested_actions']>[number];

export function SuggestedActions({ actions }: { readonly actions: readonly SuggestedAction[] }) {
  const list = useRef<HTMLElement>(null);
  useNumberKeys(list);
  if (actions.length === 0) return null;
  return (
    <section ref={list}>
      <h3 className={styles.part}>{en.events.actions}</h3>
      <p className={styles.second}>{en.events.actionsNote}</p>
      <ul className={styles.parts}>
        {actions.map((action, at) => (
          <li key={action.action_id} data-suggested={at + 1}>
            <OneAction action={action} keyName={at < 9 ? String(at + 1) : null} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A digit presses the button of that number, outside of texts. */
function useNumberKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isInText = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      const isOther = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
      if (isInText || isOther || !/^[1-9]$/.test(event.key) || document.querySelector('dialog[open]') !== null) return;
      const button = list.current?.querySelector<HTMLElement>(`[data-suggested="${event.key}"] button`);
      if (button == null) return;
      event.preventDefault();
      button.click();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [list]);
}

interface OneActionProps {
  readonly action: SuggestedAction;
  readonly keyName: string | null;
}

function OneAction({ action, keyName }: OneActionProps) {
  const { askAbout } = useCommands();
  const [isShown, setShown] = useState(false);
  const title = showText(action.title);
  const key = keyName !== null && (
    <kbd className={styles.key} aria-hidden>
      {keyName}
    </kbd>
  );
  if (action.kind === 'open_url') {
    return (
      <>
        <Button aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {en.events.openUrl(title)}
          {key}
        </Button>
        {isShown && <Address url={action.args?.url} />}
      </>
    );
  }
  if (action.kind === 'start_turn' && typeof action.args?.prompt === 'string') {
    const { prompt } = action.args;
    return (
      <Button onClick={() => askAbout(showText(prompt))}>
        {en.events.fill(title)}
        {key}
      </Button>
    );
  }
  return <span className={styles.second}>{en.events.unknownAction(title, showText(action.kind))}</span>;
}

/** Whole, so that one sees where it leads; a link only for what may be opened. */
export function Address({ url }: { readonly url: unknown }) {
  const href = openableUrl(url);
  return (
    <span className={styles.address}>
      <code>{showExact(String(url))}</code>
      {href === null ? (
        <span className={styles.second}>{en.events.badUrl}</span>
      ) : (
        <OutsideLink href={href}>{en.events.openExact}</OutsideLink>
      )}
    </span>
  );
}

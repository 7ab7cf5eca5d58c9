/**
 * Every link that leaves the page. It opens apart from the page and says nothing of where it was clicked. One to this machine or the local
 * network asks first and shows the whole address: its text was chosen by somebody else, and what answers there may be another user's.
 */
import { type MouseEvent, type ReactNode, useState } from 'react';
import { createPortal } from 'react-dom';
import { isNearHost } from '../../core/text/near-host.ts';
import { en } from '../strings/en.ts';
import { showExact } from '../transcript/ansi.ts';
import { Dialog } from './Dialog.tsx';
import styles from './OutsideLink.module.css';

interface OutsideLinkProps {
  /** An http or https address; whoever renders a link has checked that. */
  readonly href: string;
  readonly children: ReactNode;
  readonly className?: string | undefined;
  readonly title?: string;
  /** The address was opened. */
  readonly onOpen?: () => void;
}

const APART = { target: '_blank', rel: 'noreferrer noopener' } as const;

export function OutsideLink({ href, children, className, title, onOpen }: OutsideLinkProps) {
  const [isAsking, setAsking] = useState(false);
  const isNear = URL.canParse(href) && isNearHost(new URL(href).hostname);
  // The middle button opens a link as well, with an event of its own.
  const ask = (event: MouseEvent) => {
    event.preventDefault();
    setAsking(true);
  };
  const opened = () => {
    setAsking(false);
    onOpen?.();
  };
  return (
    <>
      <a
        href={href}
        {...APART}
        className={className}
        title={title}
        onClick={isNear ? ask : onOpen}
        onAuxClick={isNear ? (event) => event.button === 1 && ask(event) : undefined}
      >
        {children}
      </a>
      {isAsking &&
        createPortal(
          <Dialog title={en.outside.title} onClose={() => setAsking(false)}>
            <div className={styles.body}>
              <p>{en.outside.text}</p>
              <code className={styles.address}>{showExact(href)}</code>
              <a href={href} {...APART} className={styles.open} onClick={opened}>
                {en.outside.open}
              </a>
            </div>
          </Dialog>,
          document.body,
        )}
    </>
  );
}

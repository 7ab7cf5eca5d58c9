/** A modal dialog: the browser's own, so that focus, Escape and what lies behind are its business. */
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { en } from '../strings/en.ts';
import { Button } from './Button.tsx';
import { classes } from './classes.ts';
import styles from './Dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** The palette draws its own head. */
  readonly hasHead?: boolean;
  readonly className?: string | undefined;
  readonly role?: 'alertdialog';
  readonly describedBy?: string;
}

export function Dialog({ title, onClose, children, hasHead = true, className, role, describedBy }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    if (element !== null && !element.open) element.showModal();
    // The browser gives the focus back when a dialog is closed, not when it is removed; without this the keyboard starts at the top again.
    return () => {
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way, and the browser's own
    <dialog
      ref={dialog}
      aria-label={title}
      role={role}
      aria-describedby={describedBy}
      className={classes(styles.dialog, className)}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className={styles.inside}>
        {hasHead && (
          <div className={styles.head}>
            <h2 className={styles.title}>{title}</h2>
            <Button tone="quiet" icon={<X size={16} />} name={en.close} onClick={onClose} />
          </div>
        )}
        {children}
      </div>
    </dialog>
  );
}

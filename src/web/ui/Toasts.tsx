/** Short notices at the top, with one thing to do about them. */
import { X } from 'lucide-react';
import { useEffect } from 'react';
import type { Toast } from '../state/store.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showText } from '../transcript/ansi.ts';
import { Button } from './Button.tsx';
import { classes } from './classes.ts';
import styles from './Toasts.module.css';
import { useOutageEnd } from './use-outage-end.ts';

const SHOWN_MS = 9_000;

export function Toasts() {
  const toasts = useApp((state) => state.toasts);
  return (
    <div className={styles.toasts} role="status">
      {toasts.map((toast) => (
        <OneToast key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function OneToast({ toast }: { readonly toast: Toast }) {
  const { dismiss } = useCommands();
  useEffect(() => {
    const timer = setTimeout(() => dismiss(toast.id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast.id, dismiss]);
  useOutageEnd(() => {
    if (toast.isOfOutage) dismiss(toast.id);
  });
  const { action } = toast;
  return (
    <div className={classes(styles.toast, toast.tone === 'error' && styles.error)}>
      <span className={styles.text}>{showText(toast.text)}</span>
      {action !== undefined && (
        <Button
          tone="quiet"
          className={styles.action}
          onClick={() => {
            dismiss(toast.id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <Button tone="quiet" icon={<X size={14} />} name={en.close} onClick={() => dismiss(toast.id)} />
    </div>
  );
}

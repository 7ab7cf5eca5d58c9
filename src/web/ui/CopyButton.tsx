/** Copies a text and says that it did. */
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { en } from '../strings/en.ts';
import styles from './CopyButton.module.css';
import { classes } from './classes.ts';

const SHOWN_MS = 1_500;

export function CopyButton({ text, className }: { readonly text: string; readonly className?: string | undefined }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const name = isCopied ? en.copied : en.copy;
  return (
    <button
      type="button"
      className={classes(styles.copy, className)}
      aria-label={name}
      title={name}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      {isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
    </button>
  );
}

/** A button that says its act: primary, plain, quiet or dangerous, as text or as an icon with a name. */
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './Button.module.css';
import { classes } from './classes.ts';

export type Tone = 'primary' | 'plain' | 'quiet' | 'danger';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly tone?: Tone;
  /** Shown alone, with `name` for those who do not see it. */
  readonly icon?: ReactNode;
  readonly name?: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ tone = 'plain', icon, name, className, children, title, ...rest }: ButtonProps) {
  const isIconOnly = icon !== undefined && children === undefined;
  return (
    <button
      type="button"
      className={classes(styles.button, styles[tone], isIconOnly && styles.icon, className)}
      aria-label={isIconOnly ? name : undefined}
      title={title ?? (isIconOnly ? name : undefined)}
      {...rest}
    >
      {icon}
      {children}
    </button>
  );
}

/** A name being changed: Enter keeps it, Escape does not. */
import { en } from '../strings/en.ts';
import styles from './NameField.module.css';

interface NameFieldProps {
  readonly name: string;
  /** Null: left as it was. */
  readonly onDone: (name: string | null) => void;
}

const MAX_NAME_CHARS = 200;

export function NameField({ name, onDone }: NameFieldProps) {
  return (
    <input
      className={styles.field}
      defaultValue={name}
      maxLength={MAX_NAME_CHARS}
      aria-label={en.sidebar.rename}
      // biome-ignore lint/a11y/noAutofocus: it appears because somebody asked to type here
      autoFocus
      onFocus={(event) => event.target.select()}
      onBlur={(event) => onDone(event.target.value === name ? null : event.target.value.trim())}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) event.currentTarget.blur();
        if (event.key === 'Escape') {
          event.stopPropagation();
          event.currentTarget.value = name;
          event.currentTarget.blur();
        }
      }}
    />
  );
}

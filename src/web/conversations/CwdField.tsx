/** A directory, typed or picked from those used before. */
import { Folder } from 'lucide-react';
import { useId, useMemo } from 'react';
import { useApp } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import styles from './CwdField.module.css';

interface CwdFieldProps {
  readonly value: string;
  readonly onChange: (cwd: string) => void;
}

const MAX_RECENT = 20;

export function CwdField({ value, onChange }: CwdFieldProps) {
  const id = useId();
  const list = useApp((state) => state.list);
  const recent = useMemo(() => {
    const rows = [...list.values()].sort((a, b) => b.updated_at.localeCompare(a.updated_at));
    return [...new Set(rows.map((row) => row.cwd))].slice(0, MAX_RECENT);
  }, [list]);
  return (
    <label className={styles.field}>
      <Folder size={14} aria-hidden />
      <span className={styles.label}>{en.empty.start}</span>
      <input
        value={value}
        list={id}
        placeholder={en.empty.cwd}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={id}>
        {recent.map((cwd) => (
          <option key={cwd} value={cwd} />
        ))}
      </datalist>
    </label>
  );
}

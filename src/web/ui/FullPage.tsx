/** One message in place of the page. */
import type { ReactNode } from 'react';
import styles from './FullPage.module.css';
import { Mark } from './Mark.tsx';

interface FullPageProps {
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}

export function FullPage({ title, text, children }: FullPageProps) {
  return (
    <main className={styles.page}>
      <Mark size={40} />
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{text}</p>
      {children}
    </main>
  );
}

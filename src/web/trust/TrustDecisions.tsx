/** In the settings: which project configurations a person decided about, each with a way to forget the decision. */
import { useCallback, useEffect, useState } from 'react';
import type { TrustDecision } from '../../contract/trust.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import styles from './TrustDecisions.module.css';

export function TrustDecisions() {
  const [decisions, setDecisions] = useState<readonly TrustDecision[] | null>(null);
  const { readDecisions, revokeTrust, toast } = useCommands();
  const read = useCallback(async () => {
    const listed = await readDecisions();
    if (listed.ok) setDecisions(listed.value.decisions);
  }, [readDecisions]);
  useEffect(() => void read(), [read]);

  async function revoke(path: string): Promise<void> {
    const revoked = await revokeTrust(path);
    toast(revoked.ok ? { text: en.trust.revoked, tone: 'plain' } : { text: revoked.error.message, tone: 'error' });
    await read();
  }

  if (decisions === null) return null;
  if (decisions.length === 0) return <p className={styles.quiet}>{en.trust.none}</p>;
  return (
    <ul className={styles.list}>
      {decisions.map(({ path, decision }) => (
        <li key={path} className={styles.row}>
          <span className={styles.path}>{path}</span>
          <span className={styles.quiet}>{en.trust.states[decision]}</span>
          <Button aria-label={en.trust.revokeOf(path)} onClick={() => void revoke(path)}>
            {en.trust.revoke}
          </Button>
        </li>
      ))}
    </ul>
  );
}

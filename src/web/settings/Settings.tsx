/** Settings: how the page looks and works, the account, what new conversations start with, and who may reach the server. */
import { type ReactNode, useId, useState } from 'react';
import { PasswordPanel } from '../access/PasswordPanel.tsx';
import { TokensPanel } from '../access/TokensPanel.tsx';
import { AccountPanel } from '../account/AccountPanel.tsx';
import { pageSession } from '../state/page-session.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { EN_SETTINGS } from '../strings/en-settings.ts';
import { TrustDecisions } from '../trust/TrustDecisions.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Fresh } from './Fresh.tsx';
import { Keys } from './Keys.tsx';
import { Look } from './Look.tsx';
import { Notices } from './Notices.tsx';
import styles from './Settings.module.css';

const SECTIONS: readonly (readonly [string, () => ReactNode])[] = [
  [EN_SETTINGS.look, () => <Look />],
  [EN_SETTINGS.fresh, () => <Fresh />],
  [EN_SETTINGS.keys.title, () => <Keys />],
  [EN_SETTINGS.notices.title, () => <Notices />],
  [en.account.title, () => <AccountPanel />],
  [en.trust.settings, () => <TrustDecisions />],
  [EN_SETTINGS.tokens.title, () => <TokensPanel />],
  [EN_SETTINGS.password.title, () => <PasswordPanel />],
  [EN_SETTINGS.browser, () => <LogOut />],
  [EN_SETTINGS.server, () => <Server />],
];

export function Settings() {
  const { show } = useCommands();
  const id = useId();
  const go = (at: number) => document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'start' });
  return (
    <Dialog title={EN_SETTINGS.general.title} className={styles.dialog} onClose={() => show('none')}>
      <div className={styles.columns}>
        <nav aria-label={EN_SETTINGS.sections} className={styles.sections}>
          {SECTIONS.map(([title], at) => (
            <Button key={title} tone="quiet" onClick={() => go(at)}>
              {title}
            </Button>
          ))}
        </nav>
        <div className={styles.body}>
          {SECTIONS.map(([title, render], at) => (
            <section key={title} id={`${id}-${at}`} className={styles.section}>
              <h3 className={styles.title}>{title}</h3>
              {render()}
            </section>
          ))}
        </div>
      </div>
    </Dialog>
  );
}

/** The server closes the sockets of the session, and every tab says so. */
function LogOut() {
  const { endSession } = useCommands();
  const [problem, setProblem] = useState<string | null>(null);
  async function logOut(): Promise<void> {
    const failed = await endSession();
    setProblem(failed);
    if (failed === null) await pageSession.forget();
  }
  return (
    <p className={styles.line}>
      <Button onClick={() => void logOut()}>{EN_SETTINGS.logOut}</Button>
      {problem !== null && <span className={styles.problem}>{problem}</span>}
    </p>
  );
}

function Server() {
  const codex = useApp((state) => state.codex);
  const { startCodex } = useCommands();
  if (codex === null) return null;
  const isDown = codex.state === 'failed' || codex.state === 'stopped';
  return (
    <p className={styles.fact}>
      <span>{en.codex[codex.state]}</span>
      {codex.version !== null && <span className={styles.quiet}>{en.codex.version(codex.version)}</span>}
      {isDown && <Button onClick={() => void startCodex()}>{en.codex.start}</Button>}
    </p>
  );
}

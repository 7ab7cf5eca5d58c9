/** Who answers: the account, the demo model, and the ways to sign in. */
import { useState } from 'react';
import type { AccountState } from '../../contract/routes-server.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showText } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import styles from './AccountPanel.module.css';
import { DeviceCode } from './DeviceCode.tsx';
import { describeAccount, describeLimits } from './describe-account.ts';
import { KeyForm } from './KeyForm.tsx';

/** `isBrief`: on the home page, where a signed-in account is one quiet line. */
export function AccountPanel({ isBrief = false }: { readonly isBrief?: boolean }) {
  const account = useApp((state) => state.account);
  if (account === null) return isBrief ? null : <p className={styles.quiet}>{en.account.read}</p>;
  // A provider of its own, or a key in the environment: nobody needs to sign in, and on the home page nobody is asked to.
  if (!account.signed_in && !account.demo && isBrief) return null;
  if (account.signed_in && !account.demo) return <SignedIn account={account} isBrief={isBrief} />;
  return <SignIn account={account} isBrief={isBrief} />;
}

interface PartProps {
  readonly account: AccountState;
  readonly isBrief: boolean;
}

function SignedIn({ account, isBrief }: PartProps) {
  const { logOut } = useCommands();
  const [error, setError] = useState<string | null>(null);
  return (
    <div className={styles.signedIn}>
      <p className={styles.quiet}>{showText(describeAccount(account.account))}</p>
      {account.restart_pending && <p className={styles.quiet}>{en.account.restarting}</p>}
      <Limits account={account} isBrief={isBrief} />
      {!isBrief && (
        <>
          <Button onClick={() => void logOut().then(setError)}>{en.account.signOut}</Button>
          <p className={styles.quiet}>{en.account.signOutHint}</p>
        </>
      )}
      {error !== null && (
        <p role="alert" className={styles.error}>
          {showText(error)}
        </p>
      )}
    </div>
  );
}

function Limits({ account, isBrief }: PartProps) {
  return describeLimits(account.limits, isBrief).map((text) => (
    <p key={text} className={styles.quiet}>
      {showText(text)}
    </p>
  ));
}

function SignIn({ account, isBrief }: PartProps) {
  const { logIn } = useCommands();
  const [way, setWay] = useState<'none' | 'key'>('none');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const { login } = account;

  async function begin(how: Parameters<typeof logIn>[0]): Promise<boolean> {
    setBusy(true);
    setError(null);
    const failure = await logIn(how);
    setBusy(false);
    setError(failure);
    return failure === null;
  }

  return (
    <section className={account.demo ? styles.demo : styles.own} aria-label={en.account.title}>
      <p>
        <strong className={styles.title}>{account.demo ? en.account.demo : en.account.own}</strong>
        <span>{account.demo ? en.account.demoText : en.account.ownText}</span>
      </p>
      {account.restart_pending && <p className={styles.quiet}>{en.account.restarting}</p>}
      <Limits account={account} isBrief={isBrief} />
      {login?.state === 'waiting' && login.type === 'chatgpt_device' ? (
        <DeviceCode login={login} />
      ) : (
        <>
          <div className={styles.ways}>
            <Button tone="primary" disabled={isBusy} onClick={() => void begin({ type: 'chatgpt_device' })}>
              {en.account.chatgpt}
            </Button>
            <Button aria-expanded={way === 'key'} onClick={() => setWay(way === 'key' ? 'none' : 'key')}>
              {en.account.key}
            </Button>
            {isBrief && <span className={styles.quiet}>{en.account.stay}</span>}
          </div>
          {login?.state === 'failed' && error === null && (
            <p role="alert" className={styles.error}>
              {showText(en.account.failed(login.reason))}
            </p>
          )}
          {way === 'key' && <KeyForm isBusy={isBusy} onKey={(key) => begin({ type: 'api_key', api_key: key })} />}
        </>
      )}
      {error !== null && (
        <p role="alert" className={styles.error}>
          {showText(error)}
        </p>
      )}
    </section>
  );
}

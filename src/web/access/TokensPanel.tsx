/** The tokens of programs: which there are, a new one, and ending one. */
import { type FormEvent, useEffect, useState } from 'react';
import type { AccessToken, TokenScope } from '../../contract/access.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { EN_SETTINGS } from '../strings/en-settings.ts';
import { showText } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { formatAgo, formatExact } from '../ui/format.ts';
import styles from './TokensPanel.module.css';

const SCOPES: readonly TokenScope[] = ['read', 'operate', 'run'];
/** What most programs need, for as long as one remembers them. */
const FIRST_SCOPES: readonly TokenScope[] = ['read', 'operate'];
const FIRST_DAYS = 30;

export function TokensPanel() {
  const { listTokens, revokeToken } = useCommands();
  const [tokens, setTokens] = useState<readonly AccessToken[] | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [isMaking, setMaking] = useState(false);
  const reload = () => void listTokens().then((all) => all !== null && setTokens(all));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is shown
  useEffect(reload, []);

  async function revoke(id: string): Promise<void> {
    if (await revokeToken(id)) reload();
  }

  return (
    <div className={styles.panel}>
      <p className={styles.quiet}>{EN_SETTINGS.tokens.text}</p>
      {tokens?.length === 0 && <p>{EN_SETTINGS.tokens.none}</p>}
      {tokens !== null && tokens.length > 0 && (
        <ul className={styles.list} aria-label={EN_SETTINGS.tokens.title}>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => void revoke(token.id)} />
          ))}
        </ul>
      )}
      {secret !== null && <Secret text={secret} onDone={() => setSecret(null)} />}
      {isMaking ? (
        <TokenForm
          onMade={(made) => {
            setMaking(false);
            setSecret(made);
            reload();
          }}
          onCancel={() => setMaking(false)}
        />
      ) : (
        secret === null && <Button onClick={() => setMaking(true)}>{EN_SETTINGS.tokens.create}</Button>
      )}
    </div>
  );
}

function TokenRow({ token, onRevoke }: { readonly token: AccessToken; readonly onRevoke: () => void }) {
  const name = token.label === '' ? EN_SETTINGS.tokens.unnamed : token.label;
  const facts = [
    token.scopes.join(', '),
    ...(token.conversation_id === null ? [] : [EN_SETTINGS.tokens.forOne]),
    usedOf(token.last_used_at),
    ...(token.expires_at === null ? [] : [EN_SETTINGS.tokens.ends(formatExact(token.expires_at))]),
  ];
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <span className={styles.name}>{showText(name)}</span>
        <span className={styles.quiet}>{facts.join(' · ')}</span>
      </div>
      <Button aria-label={EN_SETTINGS.tokens.revokeNamed(name)} onClick={onRevoke}>
        {EN_SETTINGS.tokens.revoke}
      </Button>
    </li>
  );
}

const HOUR_MS = 3_600_000;

function usedOf(at: string | null): string {
  if (at === null) return EN_SETTINGS.tokens.neverUsed;
  return Date.now() - Date.parse(at) < HOUR_MS
    ? EN_SETTINGS.tokens.usedNow
    : EN_SETTINGS.tokens.used(formatAgo(at, Date.now()));
}

function Secret({ text, onDone }: { readonly text: string; readonly onDone: () => void }) {
  return (
    <div className={styles.secret} role="status">
      <span>{EN_SETTINGS.tokens.made}</span>
      <div className={styles.copy}>
        <code>{text}</code>
        <CopyButton text={text} />
      </div>
      <Button onClick={onDone}>{EN_SETTINGS.tokens.done}</Button>
    </div>
  );
}

interface TokenFormProps {
  readonly onMade: (secret: string) => void;
  readonly onCancel: () => void;
}

function TokenForm({ onMade, onCancel }: TokenFormProps) {
  const { createToken } = useCommands();
  const [label, setLabel] = useState('');
  const [scopes, setScopes] = useState<readonly TokenScope[]>(FIRST_SCOPES);
  const [days, setDays] = useState(FIRST_DAYS);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const made = await createToken({ label, scopes: [...scopes], ...(days > 0 && { expires_in_days: days }) });
    if (made !== null) onMade(made.secret);
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <label className={styles.field}>
        <span>{EN_SETTINGS.tokens.label}</span>
        <input value={label} maxLength={80} onChange={(event) => setLabel(event.target.value)} />
      </label>
      <fieldset className={styles.scopes}>
        <legend>{EN_SETTINGS.tokens.scopes}</legend>
        {SCOPES.map((scope) => (
          <label key={scope} className={styles.scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={(event) =>
                setScopes(SCOPES.filter((one) => (one === scope ? event.target.checked : scopes.includes(one))))
              }
            />
            <span>
              {EN_SETTINGS.tokens.scope[scope][0]}{' '}
              <span className={styles.quiet}>{EN_SETTINGS.tokens.scope[scope][1]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <label className={styles.field}>
        <span>{EN_SETTINGS.tokens.expires}</span>
        <select value={days} onChange={(event) => setDays(Number(event.target.value))}>
          {EN_SETTINGS.tokens.expiry.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <div className={styles.buttons}>
        <Button onClick={onCancel}>{en.cancel}</Button>
        <Button type="submit" tone="primary" disabled={scopes.length === 0}>
          {EN_SETTINGS.tokens.create}
        </Button>
      </div>
    </form>
  );
}

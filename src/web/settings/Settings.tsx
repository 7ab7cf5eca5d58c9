/** Settings of this browser, and what new conversations start with. */
import { useState } from 'react';
import { PasswordPanel } from '../access/PasswordPanel.tsx';
import { TokensPanel } from '../access/TokensPanel.tsx';
import { AccountPanel } from '../account/AccountPanel.tsx';
import { ContextChoices } from '../header/ContextSwitches.tsx';
import { THEMES } from '../state/device.ts';
import { pageSession } from '../state/page-session.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { TrustDecisions } from '../trust/TrustDecisions.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { mayNotify, playChime } from '../ui/notice.ts';
import styles from './Settings.module.css';

export function Settings() {
  const { show } = useCommands();
  return (
    <Dialog title={en.settings.title} onClose={() => show('none')}>
      <div className={styles.body}>
        <Browser />
        <section className={styles.section}>
          <h3 className={styles.title}>{en.account.title}</h3>
          <AccountPanel />
        </section>
        <Fresh />
        <section className={styles.section}>
          <h3 className={styles.title}>{en.trust.settings}</h3>
          <TrustDecisions />
        </section>
        <section className={styles.section}>
          <h3 className={styles.title}>{en.tokens.title}</h3>
          <TokensPanel />
        </section>
        <section className={styles.section}>
          <h3 className={styles.title}>{en.password.title}</h3>
          <PasswordPanel />
        </section>
        <Server />
      </div>
    </Dialog>
  );
}

function Browser() {
  const device = useApp((state) => state.device);
  const { setDevice } = useCommands();
  const [isDenied, setDenied] = useState(false);

  async function setNotify(notify: boolean): Promise<void> {
    const isAllowed = !notify || (await mayNotify());
    setDenied(!isAllowed);
    setDevice({ notify: notify && isAllowed, wasAskedToNotify: true });
  }

  return (
    <section className={styles.section}>
      <h3 className={styles.title}>{en.settings.here}</h3>
      <fieldset className={styles.themes}>
        <legend className={styles.legend}>{en.settings.theme}</legend>
        {THEMES.map((theme) => (
          <label key={theme} className={styles.theme}>
            <input type="radio" name="theme" checked={device.theme === theme} onChange={() => setDevice({ theme })} />
            {en.settings.themes[theme]}
          </label>
        ))}
      </fieldset>
      <label className={styles.line}>
        <input type="checkbox" checked={device.notify} onChange={(event) => void setNotify(event.target.checked)} />
        {en.settings.notify}
      </label>
      {device.notify && (
        <label className={styles.line}>
          <input
            type="checkbox"
            checked={device.sound}
            onChange={(event) => {
              setDevice({ sound: event.target.checked });
              if (event.target.checked) playChime();
            }}
          />
          {en.settings.sound}
        </label>
      )}
      {isDenied && <p className={styles.problem}>{en.settings.notifyDenied}</p>}
      <LogOut />
    </section>
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
      <Button onClick={() => void logOut()}>{en.settings.logOut}</Button>
      {problem !== null && <span className={styles.problem}>{problem}</span>}
    </p>
  );
}

function Fresh() {
  const preferences = useApp((state) => state.preferences);
  const models = useApp((state) => state.models);
  const { writePreferences } = useCommands();
  if (preferences === null) return null;
  return (
    <section className={styles.section}>
      <h3 className={styles.title}>{en.settings.fresh}</h3>
      <Choice
        name={en.header.approvals}
        value={preferences.approval}
        options={Object.entries(en.approvalModes).map(([value, mode]) => [value, mode.name])}
        onChange={(value) => {
          if (value === 'untrusted' || value === 'on-request' || value === 'never')
            void writePreferences({ approval: value });
        }}
      />
      <Choice
        name={en.header.sandbox}
        value={preferences.sandbox}
        options={Object.entries(en.sandboxes).map(([value, sandbox]) => [value, sandbox.name])}
        onChange={(value) => {
          if (value === 'read-only' || value === 'workspace-write' || value === 'danger-full-access') {
            void writePreferences({ sandbox: value });
          }
        }}
      />
      <Choice
        name={en.header.model}
        value={preferences.model ?? ''}
        options={[['', en.header.defaultModel], ...models.map((model): [string, string] => [model.id, model.name])]}
        onChange={(value) => void writePreferences({ model: value === '' ? null : value })}
      />
      <ContextChoices
        title={en.context.fresh}
        value={preferences.context}
        onChange={(name, isOn) => void writePreferences({ context: { [name]: isOn } })}
      />
    </section>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ name, value, options, onChange }: ChoiceProps) {
  return (
    <label className={styles.choice}>
      <span>{name}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([id, label]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

function Server() {
  const codex = useApp((state) => state.codex);
  const { startCodex } = useCommands();
  if (codex === null) return null;
  const isDown = codex.state === 'failed' || codex.state === 'stopped';
  return (
    <section className={styles.section}>
      <h3 className={styles.title}>{en.settings.server}</h3>
      <p className={styles.fact}>
        <span>{en.codex[codex.state]}</span>
        {codex.version !== null && <span className={styles.quiet}>{en.codex.version(codex.version)}</span>}
        {isDown && <Button onClick={() => void startCodex()}>{en.codex.start}</Button>}
      </p>
    </section>
  );
}

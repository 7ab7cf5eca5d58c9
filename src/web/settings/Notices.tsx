/** What the page notifies about, and whether this browser shows notices. */
import { useState } from 'react';
import { useApp, useCommands } from '../state/use-app.ts';
import { EN_SETTINGS } from '../strings/en-settings.ts';
import { mayNotify, playChime } from '../ui/notice.ts';
import styles from './Settings.module.css';

const KINDS = ['asks', 'ends', 'events'] as const;

export function Notices() {
  const device = useApp((state) => state.device);
  const notices = useApp((state) => state.page.notices);
  const { setDevice, setPage } = useCommands();
  const [isDenied, setDenied] = useState(false);

  async function setNotify(notify: boolean): Promise<void> {
    const isAllowed = !notify || (await mayNotify());
    setDenied(!isAllowed);
    setDevice({ notify: notify && isAllowed, wasAskedToNotify: true });
  }

  return (
    <>
      <label className={styles.line}>
        <input type="checkbox" checked={device.notify} onChange={(event) => void setNotify(event.target.checked)} />
        {EN_SETTINGS.notices.here}
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
          {EN_SETTINGS.notices.sound}
        </label>
      )}
      {isDenied && <p className={styles.problem}>{EN_SETTINGS.notices.denied}</p>}
      <fieldset className={styles.kinds}>
        <legend className={styles.quiet}>{EN_SETTINGS.notices.of}</legend>
        {KINDS.map((kind) => (
          <label key={kind} className={styles.line}>
            <input
              type="checkbox"
              checked={notices[kind]}
              onChange={(event) => void setPage({ notices: { ...notices, [kind]: event.target.checked } })}
            />
            {EN_SETTINGS.notices.kinds[kind]}
          </label>
        ))}
      </fieldset>
    </>
  );
}

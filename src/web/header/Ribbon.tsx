/** The thin line that says what goes on now: its color is the lamp, its words the activity. */
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showText } from '../transcript/ansi.ts';
import { classes } from '../ui/classes.ts';
import { Lamp } from '../ui/Lamp.tsx';
import styles from './Ribbon.module.css';

export function Ribbon() {
  const activity = useApp((state) => state.view.live.activity);
  const isDemo = useApp((state) => state.codex?.demo === true);
  const runningCount = useApp((state) => state.view.live.running.length);
  const { show, setDevice } = useCommands();
  const isBusy = activity.state === 'running' || activity.state === 'starting';
  const lamp = isBusy ? 'running' : activity.state === 'waiting' ? 'waiting' : activity.lamp;
  return (
    <div className={styles.ribbon}>
      <div className={classes(styles.bar, styles[lamp])} />
      {/* No live region: what is worth saying aloud is said once, by the log of finished text. */}
      <div className={styles.line}>
        {activity.text === '' ? (
          // The lamp has this name already, for whoever listens.
          <span className={styles.text} aria-hidden="true">
            {en.lamp[lamp]}
          </span>
        ) : (
          <span className={styles.text}>{showText(activity.text)}</span>
        )}
        {runningCount > 0 && (
          <button
            type="button"
            className={styles.runs}
            title={en.runs.countHint}
            onClick={() => setDevice({ drawer: 'shells' })}
          >
            {en.runs.count(runningCount)}
          </button>
        )}
        {isDemo && (
          <button type="button" className={styles.demo} title={en.codex.demoHint} onClick={() => show('account')}>
            {en.codex.demo}
            <span className={styles.signIn}> · {en.account.link}</span>
          </button>
        )}
        <Lamp state={lamp} name={en.lamp[lamp]} />
      </div>
    </div>
  );
}

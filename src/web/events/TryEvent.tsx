/** What would happen to an event under the rules as they stand in the editor. */
import { useState } from 'react';
import type { EventRule, Severity } from '../../contract/external-event.ts';
import type { DryRun } from '../state/event-commands.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { EN_RULES } from '../strings/en-event-rules.ts';
import { showText } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { SEVERITIES } from './describe-event.ts';
import styles from './EventsPanel.module.css';

type Outcome = { readonly run: DryRun } | { readonly problem: string };

interface TryEventProps {
  readonly threadId: string;
  readonly rules: readonly EventRule[];
  readonly allowSources: readonly string[];
}

export function TryEvent({ threadId, rules, allowSources }: TryEventProps) {
  const { tryEvent } = useCommands();
  const [type, setType] = useState('build.failed');
  const [source, setSource] = useState('buildkite');
  const [severity, setSeverity] = useState<Severity>('error');
  const [isAuthenticated, setAuthenticated] = useState(true);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  async function run(): Promise<void> {
    const event = {
      schema_version: 1,
      event_id: 'evt_try',
      time_unix_ms: Date.now(),
      type,
      severity,
      title: type,
      summary: '',
      source: { name: source },
      routing: { thread_id: threadId },
    };
    const tried = await tryEvent({
      event,
      rules: [...rules],
      allow_sources: [...allowSources],
      authenticated: isAuthenticated,
    });
    setOutcome(tried.ok ? { run: tried.value } : { problem: tried.error.message });
  }

  return (
    <section className={styles.try}>
      <h3 className={styles.part}>{EN_RULES.tryTitle}</h3>
      <p className={styles.second}>{EN_RULES.tryNote}</p>
      <label className={styles.field}>
        <span>{EN_RULES.tryType}</span>
        <input value={type} onChange={(event) => setType(event.target.value)} />
      </label>
      <label className={styles.field}>
        <span>{EN_RULES.trySource}</span>
        <input value={source} onChange={(event) => setSource(event.target.value)} />
      </label>
      <label className={styles.field}>
        <span>{EN_RULES.trySeverity}</span>
        <select
          value={severity}
          onChange={(event) => setSeverity(SEVERITIES.find((one) => one === event.target.value) ?? 'info')}
        >
          {SEVERITIES.map((one) => (
            <option key={one} value={one}>
              {en.events.severity[one]}
            </option>
          ))}
        </select>
      </label>
      <label className={styles.check}>
        <input type="checkbox" checked={isAuthenticated} onChange={(event) => setAuthenticated(event.target.checked)} />
        {EN_RULES.tryAuthenticated}
      </label>
      <Button onClick={() => void run()}>{EN_RULES.tryRun}</Button>
      <div role="status">{outcome !== null && <Told outcome={outcome} />}</div>
    </section>
  );
}

function Told({ outcome }: { readonly outcome: Outcome }) {
  if ('problem' in outcome) return <p className={styles.caution}>{showText(outcome.problem)}</p>;
  const { mode, rule, reason, model_text } = outcome.run;
  return (
    <>
      <p className={styles.told}>{EN_RULES.modes[mode]}</p>
      <p className={styles.second}>
        {rule === null ? EN_RULES.byDefault : EN_RULES.byRule(rule + 1)} {showText(reason)}
      </p>
      <p className={styles.second}>{model_text === null ? EN_RULES.modelReadsNothing : EN_RULES.modelReads}</p>
      {model_text !== null && <pre className={styles.payload}>{showText(model_text)}</pre>}
    </>
  );
}

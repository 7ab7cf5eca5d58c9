/** One rule as fields. */
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { EventRule } from '../../contract/external-event.ts';
import { en } from '../strings/en.ts';
import { EN_RULES } from '../strings/en-event-rules.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { SEVERITIES } from './describe-event.ts';
import styles from './EventsPanel.module.css';
import { isLoosening, parseSources } from './rule-list.ts';

interface RuleFieldsProps {
  readonly n: number;
  readonly isLast: boolean;
  readonly rule: EventRule;
  readonly onChange: (change: Partial<EventRule>) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

export function RuleFields({ n, isLast, rule, onChange, onMove, onRemove }: RuleFieldsProps) {
  const deliveries: readonly [string, string][] = Object.entries(EN_RULES.deliveries);
  return (
    <fieldset className={styles.rule}>
      <legend>{EN_RULES.rule(n)}</legend>
      <label className={styles.field}>
        <span>{EN_RULES.type}</span>
        <input
          value={rule.match_type}
          title={EN_RULES.globHint}
          onChange={(event) => onChange({ match_type: event.target.value })}
        />
      </label>
      <label className={styles.field}>
        <span>{EN_RULES.source}</span>
        <input
          value={rule.source ?? ''}
          placeholder={EN_RULES.anySource}
          onChange={(event) => onChange({ source: event.target.value })}
        />
      </label>
      <label className={styles.field}>
        <span>{EN_RULES.severity}</span>
        <select
          value={rule.min_severity ?? ''}
          onChange={(event) => onChange({ min_severity: SEVERITIES.find((one) => one === event.target.value) })}
        >
          <option value="">{EN_RULES.anySeverity}</option>
          {SEVERITIES.map((one) => (
            <option key={one} value={one}>
              {en.events.severity[one]}
            </option>
          ))}
        </select>
      </label>
      <label className={styles.field}>
        <span>{EN_RULES.delivery}</span>
        <select value={rule.delivery} onChange={(event) => onChange({ delivery: deliveryOf(event.target.value) })}>
          {deliveries.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={rule.prefer_steer}
          onChange={(event) => onChange({ prefer_steer: event.target.checked })}
        />
        {EN_RULES.steer}
      </label>
      {(isLoosening(rule) || rule.allow_sources.length > 0) && (
        <RuleSources sources={rule.allow_sources} onChange={(allow_sources) => onChange({ allow_sources })} />
      )}
      {(rule.prefer_steer || rule.allow_unauthenticated) && (
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={rule.allow_unauthenticated}
            onChange={(event) => onChange({ allow_unauthenticated: event.target.checked })}
          />
          {EN_RULES.allowFiles}
        </label>
      )}
      <span className={styles.acts}>
        <Button
          tone="quiet"
          icon={<ArrowUp size={14} />}
          name={EN_RULES.up}
          disabled={n === 1}
          onClick={() => onMove(-1)}
        />
        <Button
          tone="quiet"
          icon={<ArrowDown size={14} />}
          name={EN_RULES.down}
          disabled={isLast}
          onClick={() => onMove(1)}
        />
        <Button tone="quiet" icon={<Trash2 size={14} />} name={EN_RULES.remove} onClick={onRemove} />
      </span>
    </fieldset>
  );
}

interface RuleSourcesProps {
  readonly sources: readonly string[];
  readonly onChange: (sources: string[]) => void;
}

/** What is typed stays as it is typed for as long as it says the same. */
function RuleSources({ sources, onChange }: RuleSourcesProps) {
  const [typed, setTyped] = useState('');
  const said = sources.join(', ');
  return (
    <label className={classes(styles.field, styles.wide)}>
      <span>{EN_RULES.alsoAllow}</span>
      <input
        value={parseSources(typed).join(', ') === said ? typed : said}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange([...parseSources(event.target.value)]);
        }}
      />
    </label>
  );
}

function deliveryOf(value: string): EventRule['delivery'] {
  const all = ['queue_for_next_turn', 'append_to_thread', 'auto_turn', 'notify_only', 'drop'] as const;
  return all.find((one) => one === value) ?? 'queue_for_next_turn';
}

/** The rules of delivery: first match wins. Tried out before they are saved. */
import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { EventRule } from '../../contract/external-event.ts';
import type { RuleSet } from '../state/event-commands.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { EN_RULES } from '../strings/en-event-rules.ts';
import { Button } from '../ui/Button.tsx';
import styles from './EventsPanel.module.css';
import { RuleFields } from './RuleFields.tsx';
import { changeRule, FRESH_RULE, isLoosening, isNobodyAllowed, moveRule, parseSources } from './rule-list.ts';
import { TryEvent } from './TryEvent.tsx';

export function RulesEditor({ threadId }: { readonly threadId: string | null }) {
  const { readEventRules } = useCommands();
  const [saved, setSaved] = useState<RuleSet | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    void readEventRules().then((read) => (read.ok ? setSaved(read.value) : setProblem(read.error.message)));
  }, [readEventRules]);
  if (saved === null) return <p className={styles.empty}>{problem === '' ? en.loading : problem}</p>;
  return <Editor saved={saved} threadId={threadId} onSaved={setSaved} />;
}

interface EditorProps {
  readonly saved: RuleSet;
  readonly threadId: string | null;
  readonly onSaved: (rules: RuleSet) => void;
}

function Editor({ saved, threadId, onSaved }: EditorProps) {
  const { writeEventRules, toast } = useCommands();
  const [rules, setRules] = useState<readonly EventRule[]>(saved.rules);
  const [allowed, setAllowed] = useState(saved.allow_sources.join(', '));
  const deliveries: Readonly<Record<string, string>> = EN_RULES.deliveries;
  const isChanged = rules !== saved.rules || allowed !== saved.allow_sources.join(', ');

  async function write(next: readonly EventRule[] | null): Promise<void> {
    const written = await writeEventRules(next, next === null ? undefined : parseSources(allowed));
    if (written === null) return;
    adopt(written);
    const undo = { label: en.events.undo, run: () => void restore() };
    toast({ text: EN_RULES.saved, tone: 'plain', ...(next === null && { action: undo }) });
  }

  /** What was chosen here is nowhere else. */
  async function restore(): Promise<void> {
    const written = await writeEventRules(saved.rules, saved.allow_sources);
    if (written !== null) adopt(written);
  }

  function adopt(written: RuleSet): void {
    onSaved(written);
    setRules(written.rules);
    setAllowed(written.allow_sources.join(', '));
  }

  return (
    <div className={styles.rules}>
      <p className={styles.second}>
        {EN_RULES.intro} {EN_RULES.globHint} {saved.from === 'page' ? EN_RULES.fromPage : EN_RULES.fromConfig}
      </p>
      {rules.length === 0 && <p className={styles.note}>{EN_RULES.none}</p>}
      <ol className={styles.ruleList}>
        {rules.map((rule, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no name but its place
          <li key={at}>
            <RuleFields
              n={at + 1}
              isLast={at === rules.length - 1}
              rule={rule}
              onChange={(change) => setRules(changeRule(rules, at, change))}
              onMove={(by) => setRules(moveRule(rules, at, by))}
              onRemove={() => setRules(rules.filter((_, index) => index !== at))}
            />
          </li>
        ))}
      </ol>
      <p className={styles.note}>{EN_RULES.otherwise(deliveries[saved.default_delivery] ?? saved.default_delivery)}</p>
      <label className={styles.field}>
        <span>{EN_RULES.allow}</span>
        <input value={allowed} placeholder="buildkite, github" onChange={(event) => setAllowed(event.target.value)} />
        <span className={styles.second}>{EN_RULES.allowHint}</span>
      </label>
      {rules.some(isLoosening) && (
        <p className={styles.caution}>{isNobodyAllowed(rules, allowed) ? EN_RULES.nobody : EN_RULES.loosens}</p>
      )}
      <div className={styles.acts}>
        <Button icon={<Plus size={14} />} onClick={() => setRules([...rules, FRESH_RULE])}>
          {EN_RULES.add}
        </Button>
        <Button tone="primary" disabled={!isChanged} onClick={() => void write(rules)}>
          {EN_RULES.save}
        </Button>
        {saved.from === 'page' && (
          <Button tone="quiet" onClick={() => void write(null)}>
            {EN_RULES.useConfig}
          </Button>
        )}
        {isChanged && <span className={styles.second}>{EN_RULES.unsaved}</span>}
      </div>
      {threadId !== null && <TryEvent threadId={threadId} rules={rules} allowSources={parseSources(allowed)} />}
    </div>
  );
}

/** The form for a new schedule: the message, when in words with the times they mean, and where. */
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import type { RouteCall } from '../../contract/routes.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { EN_SCHEDULES } from '../strings/en-schedules.ts';
import { Button } from '../ui/Button.tsx';
import field from '../ui/Field.module.css';
import { formatExact } from '../ui/format.ts';
import styles from './SchedulesPanel.module.css';

interface FormProps {
  readonly conversationId: ConversationId | null;
  readonly onClose: () => void;
}

const WORDS = EN_SCHEDULES.form;
const NAME_CHARS = 60;
/** Asked again once typing pauses. */
const PREVIEW_MS = 250;

export function ScheduleForm({ conversationId, onClose }: FormProps) {
  const { schedule: call } = useCommands();
  const cwd = useApp((state) => state.meta?.cwd ?? state.serverCwd ?? '');
  const [text, setText] = useState('');
  const [words, setWords] = useState('');
  const [name, setName] = useState('');
  const [isHere, setHere] = useState(conversationId !== null);
  const [directory, setDirectory] = useState(cwd);
  const [missed, setMissed] = useState<'skip' | 'once'>('skip');
  const [busy, setBusy] = useState<'queue' | 'skip'>('queue');
  const [keepsGoing, setKeepsGoing] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const preview = usePreview(words);
  const first = useRef<HTMLTextAreaElement>(null);
  useEffect(() => first.current?.focus(), []);

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isSaving || text.trim() === '' || words.trim() === '') return;
    setSaving(true);
    const shortened = text.trim().split('\n')[0]?.slice(0, NAME_CHARS) ?? '';
    const input: RouteCall<'addSchedule'> = {
      name: name.trim() || shortened,
      text,
      target:
        isHere && conversationId !== null
          ? { kind: 'conversation', conversation_id: conversationId }
          : { kind: 'directory', cwd: directory },
      when: { kind: 'words', words, time_zone: zone() },
      missed,
      busy,
      stop_on_failure: !keepsGoing,
    };
    const added = await call('addSchedule', input);
    setSaving(false);
    if (added.ok) onClose();
    else setProblem(added.error.message);
  }

  return (
    <form className={styles.form} onSubmit={(event) => void save(event)} aria-label={EN_SCHEDULES.add}>
      <label className={styles.field}>
        {WORDS.message}
        <textarea
          ref={first}
          rows={3}
          value={text}
          placeholder={WORDS.messageHint}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <label className={styles.field}>
        {WORDS.when}
        <input
          className={field.field}
          value={words}
          placeholder={WORDS.whenHint}
          onChange={(event) => setWords(event.target.value)}
        />
      </label>
      <p className={styles.examples}>
        {WORDS.examples.map((one) => (
          <Button key={one} tone="quiet" onClick={() => setWords(one)}>
            {one}
          </Button>
        ))}
      </p>
      <p className={preview?.isProblem ? styles.reason : styles.facts} role="status">
        {preview?.text ?? WORDS.zone(zone())}
      </p>
      <fieldset className={styles.choices}>
        <legend>{WORDS.where}</legend>
        {conversationId !== null && (
          <Radio name="where" isChecked={isHere} onCheck={() => setHere(true)}>
            {EN_SCHEDULES.here}
          </Radio>
        )}
        <Radio name="where" isChecked={!isHere || conversationId === null} onCheck={() => setHere(false)}>
          {EN_SCHEDULES.directory}
        </Radio>
        {(!isHere || conversationId === null) && (
          <input
            className={field.field}
            aria-label={EN_SCHEDULES.directory}
            value={directory}
            onChange={(event) => setDirectory(event.target.value)}
          />
        )}
      </fieldset>
      <Select name={WORDS.missed} value={missed} choices={WORDS.missedChoices} onChange={setMissed} />
      <Select name={WORDS.busy} value={busy} choices={WORDS.busyChoices} onChange={setBusy} />
      <label className={styles.choice}>
        <input type="checkbox" checked={keepsGoing} onChange={(event) => setKeepsGoing(event.target.checked)} />
        {WORDS.keepGoing}
      </label>
      <label className={styles.field}>
        {WORDS.name}
        <input
          className={field.field}
          value={name}
          maxLength={100}
          placeholder={WORDS.nameHint}
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <p className={styles.facts}>{WORDS.rights}</p>
      {problem !== null && (
        <p className={styles.reason} role="alert">
          {problem}
        </p>
      )}
      <p className={styles.buttons}>
        <Button
          tone="primary"
          type="submit"
          disabled={isSaving || text.trim() === '' || preview === null || preview.isProblem}
        >
          {WORDS.save}
        </Button>
        <Button onClick={onClose}>{WORDS.cancel}</Button>
      </p>
    </form>
  );
}

const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** What the server understands; null until it has answered. */
function usePreview(words: string): { readonly text: string; readonly isProblem: boolean } | null {
  const { schedule: call } = useCommands();
  const [preview, setPreview] = useState<{ readonly text: string; readonly isProblem: boolean } | null>(null);
  useEffect(() => {
    setPreview(null);
    if (words.trim() === '') return;
    let isOver = false;
    const timer = setTimeout(async () => {
      const answer = await call('previewSchedule', { when: { kind: 'words', words, time_zone: zone() } });
      if (isOver) return;
      setPreview(
        answer.ok && answer.value.problem === null
          ? { text: WORDS.means(answer.value.next.map(formatExact)), isProblem: false }
          : { text: answer.ok ? (answer.value.problem ?? '') : answer.error.message, isProblem: true },
      );
    }, PREVIEW_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [words, call]);
  return preview;
}

interface RadioProps {
  readonly name: string;
  readonly isChecked: boolean;
  readonly onCheck: () => void;
  readonly children: ReactNode;
}

function Radio({ name, isChecked, onCheck, children }: RadioProps) {
  return (
    <label className={styles.choice}>
      <input type="radio" name={name} checked={isChecked} onChange={onCheck} />
      {children}
    </label>
  );
}

interface SelectProps<T extends string> {
  readonly name: string;
  readonly value: T;
  readonly choices: Readonly<Record<T, string>>;
  readonly onChange: (value: T) => void;
}

function Select<T extends string>({ name, value, choices, onChange }: SelectProps<T>) {
  const all = Object.keys(choices) as T[];
  return (
    <label className={styles.select}>
      {name}
      <select
        value={value}
        onChange={(event) => {
          const chosen = all.find((one) => one === event.target.value);
          if (chosen !== undefined) onChange(chosen);
        }}
      >
        {all.map((one) => (
          <option key={one} value={one}>
            {choices[one]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The oldest request that waits, above the composer, until somebody answers it, here or elsewhere. */
import { ShieldQuestion } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ApprovalAnswer, DecisionWord, PendingApproval } from '../../contract/approval.ts';
import type { Failure } from '../../contract/result.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showText } from '../transcript/ansi.ts';
import { Button, type Tone } from '../ui/Button.tsx';
import styles from './ApprovalDock.module.css';
import { AskBody } from './AskBody.tsx';
import { alwaysText, decisionLabel, decisionOfKey, effectOf } from './describe-ask.ts';
import { FormFields } from './FormFields.tsx';
import { fieldsOf, initialContent, missingFields } from './form-fields.ts';
import { type Answers, QuestionFields } from './QuestionFields.tsx';

export function ApprovalDock() {
  const approvals = useApp((state) => state.view.live.approvals);
  const first = approvals[0];
  if (first === undefined) return null;
  return <Dock key={first.approval_id} approval={first} total={approvals.length} />;
}

const TONES: Readonly<Record<DecisionWord, Tone>> = {
  accept: 'primary',
  accept_for_session: 'plain',
  accept_always: 'plain',
  cancel: 'danger',
  decline: 'plain',
};

function Dock({ approval, total }: { readonly approval: PendingApproval; readonly total: number }) {
  const { ask } = approval;
  const { answer } = useCommands();
  const [problem, setProblem] = useState<string | null>(null);
  const [isSent, setSent] = useState(false);
  const [isAskingAlways, setAskingAlways] = useState(false);
  const form = useAnswerForm(approval);

  async function decide(decision: DecisionWord): Promise<void> {
    const made = form.answerFor(decision);
    if (typeof made === 'string') {
      setProblem(made);
      return;
    }
    setSent(true);
    const failure = await answer(approval.approval_id, made);
    setSent(false);
    setProblem(failure === null ? null : reason(failure));
  }

  function press(decision: DecisionWord): void {
    if (decision === 'accept_always' && !isAskingAlways) setAskingAlways(true);
    else void decide(decision);
  }

  useAnswerKeys(approval, (decision) => void decide(decision));

  return (
    <section className={styles.dock} aria-label={en.approval.label} data-approval={approval.approval_id}>
      <div className={styles.head}>
        <ShieldQuestion size={16} aria-hidden />
        <h2 className={styles.effect}>{showText(effectOf(ask))}</h2>
        {total > 1 && <span className={styles.count}>{en.approval.of(1, total)}</span>}
      </div>
      <div className={styles.body}>
        {approval.reason !== undefined && <p className={styles.reason}>{showText(approval.reason)}</p>}
        <AskBody ask={ask} approvalId={approval.approval_id} />
        {form.view}
        {isAskingAlways && <Always approval={approval} />}
        {problem !== null && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
      </div>
      <div className={styles.buttons}>
        {approval.decisions.map((decision) => (
          <Button
            key={decision}
            tone={decision === 'accept_always' && isAskingAlways ? 'danger' : TONES[decision]}
            className={styles[decision]}
            disabled={isSent}
            onClick={() => press(decision)}
          >
            {decision === 'accept_always' && isAskingAlways
              ? en.approval.confirmAlways
              : decisionLabel(approval, decision)}
          </Button>
        ))}
      </div>
    </section>
  );
}

function Always({ approval }: { readonly approval: PendingApproval }) {
  const { rule, text } = alwaysText(approval.ask);
  return (
    <div className={styles.always}>
      {rule !== null && <strong>{showText(rule)}</strong>}
      <span>{text}</span>
    </div>
  );
}

function reason(failure: Failure): string {
  if (failure.code === 'already_answered') return en.approval.answeredElsewhere;
  return failure.code === 'stale' || failure.code === 'unknown_approval' ? en.approval.stale : failure.message;
}

/** What the request wants filled in, and the answer made of it; a text instead of an answer says what is missing. */
function useAnswerForm({ ask }: PendingApproval) {
  const fields = ask.kind === 'elicitation' || ask.kind === 'mcp_tool' ? fieldsOf(ask.schema) : [];
  const [content, setContent] = useState<Readonly<Record<string, unknown>>>(() => initialContent(fields));
  const [answers, setAnswers] = useState<Answers>({});
  const [raw, setRaw] = useState('{}');

  function answerFor(decision: DecisionWord): ApprovalAnswer | string {
    if (!decision.startsWith('accept')) return { decision };
    if (ask.kind === 'questions') {
      return { decision, answers: Object.fromEntries(Object.entries(answers).map(([id, all]) => [id, [...all]])) };
    }
    if (ask.kind === 'unknown') {
      try {
        return { decision, result: JSON.parse(raw) };
      } catch {
        return en.approval.badJson;
      }
    }
    const missing = missingFields(fields, content);
    if (missing.length > 0) return `${en.approval.required}: ${missing.join(', ')}`;
    return fields.length > 0 ? { decision, content: { ...content } } : { decision };
  }

  const view =
    ask.kind === 'questions' ? (
      <QuestionFields questions={ask.questions} answers={answers} onChange={setAnswers} />
    ) : ask.kind === 'unknown' ? (
      <textarea
        className={styles.raw}
        rows={3}
        value={raw}
        aria-label={en.approval.rawResult}
        onChange={(event) => setRaw(event.target.value)}
      />
    ) : (
      <FormFields fields={fields} content={content} onChange={setContent} />
    );
  return { answerFor, view };
}

/** `y`, `a`, `n` anywhere but in a text; with Alt everywhere. */
function useAnswerKeys(approval: PendingApproval, onDecide: (decision: DecisionWord) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isInText = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      if (event.ctrlKey || event.metaKey || event.repeat || (isInText && !event.altKey)) return;
      const decision = decisionOfKey(approval, event.altKey ? event.code.replace('Key', '') : event.key);
      if (decision === null || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      onDecide(decision);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

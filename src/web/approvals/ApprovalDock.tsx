/** The oldest request that waits, above the composer, until somebody answers it, here or elsewhere. */
import { ShieldQuestion } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { ApprovalAnswer, Ask, DecisionWord, PendingApproval } from '../../contract/approval.ts';
import type { Failure } from '../../contract/result.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { exactJson } from '../transcript/exact-text.ts';
import { Button, type Tone } from '../ui/Button.tsx';
import { Failed } from '../ui/Failed.tsx';
import { Guard } from '../ui/Guard.tsx';
import styles from './ApprovalDock.module.css';
import { AskBody } from './AskBody.tsx';
import { decisionLabel, decisionOfKey, effectOf } from './describe-ask.ts';
import { FormFields } from './FormFields.tsx';
import { fieldsOf, initialContent, missingFields } from './form-fields.ts';
import { type Answers, QuestionFields } from './QuestionFields.tsx';
import { Reason } from './Reason.tsx';
import { mayDecide } from './reading-gate.ts';
import { useEndShown } from './use-end-shown.ts';

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
  const body = useRef<HTMLElement>(null);
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const { wasEndShown, hasMore } = useEndShown(body, end);
  const hintId = useId();
  const form = useAnswerForm(approval);

  async function decide(decision: DecisionWord): Promise<void> {
    if (!mayDecide(decision, wasEndShown)) {
      setProblem(en.approval.readFirst);
      return;
    }
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

  useAnswerKeys(approval, (decision) => void decide(decision));

  const mark = <div ref={setEnd} className={styles.mark} />;
  return (
    <section className={styles.dock} aria-label={en.approval.label} data-approval={approval.approval_id}>
      <div className={styles.head}>
        <ShieldQuestion size={16} aria-hidden />
        <h2 className={styles.effect}>{effectOf(ask)}</h2>
        {total > 1 && <span className={styles.count}>{en.approval.of(1, total)}</span>}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section ref={body} className={styles.body} aria-label={en.approval.body} tabIndex={0}>
        <div className={styles.content}>
          <Guard fallback={() => <RawAsk ask={ask} end={mark} />}>
            <AskBody ask={ask} approvalId={approval.approval_id} end={mark} />
          </Guard>
          {approval.reason !== undefined && <Reason text={approval.reason} />}
          {form.view}
        </div>
      </section>
      {(hasMore || !wasEndShown) && (
        <div className={styles.more}>
          <span id={hintId}>{wasEndShown ? en.approval.more : en.approval.readFirst}</span>
          {!wasEndShown && end !== null && (
            <Button tone="quiet" onClick={() => end.scrollIntoView({ block: 'end' })}>
              {en.approval.showEnd}
            </Button>
          )}
        </div>
      )}
      {problem !== null && (problem !== en.approval.readFirst || !wasEndShown) && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.buttons}>
        {approval.decisions.map((decision) => {
          const isHeld = !mayDecide(decision, wasEndShown);
          return (
            <Button
              key={decision}
              tone={TONES[decision]}
              className={styles[decision]}
              disabled={isSent || isHeld}
              aria-describedby={isHeld ? hintId : undefined}
              onClick={() => void decide(decision)}
            >
              {decisionLabel(approval, decision)}
            </Button>
          );
        })}
      </div>
    </section>
  );
}

/** What was asked, as it came: for a request whose own view failed. */
function RawAsk({ ask, end }: { readonly ask: Ask; readonly end: ReactNode }) {
  const text = exactJson(ask);
  return (
    <>
      <Failed notice={text === null ? en.approval.unshowable : en.crash.ask} text={text ?? ''} />
      {text !== null && end}
    </>
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

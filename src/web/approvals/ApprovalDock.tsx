/** The oldest request that waits, above the composer, until somebody answers it, here or elsewhere. */
import { ShieldQuestion } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import type { ApprovalAnswer, Ask, DecisionWord, PendingApproval } from '../../contract/approval.ts';
import type { Failure } from '../../contract/result.ts';
import { countLines } from '../../core/text/cut.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { exactJson } from '../transcript/exact-text.ts';
import { agentKey, rowOf } from '../transcript/rows.ts';
import { Button, type Tone } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { Failed } from '../ui/Failed.tsx';
import { Guard } from '../ui/Guard.tsx';
import styles from './ApprovalDock.module.css';
import { AskBody } from './AskBody.tsx';
import { asksAsSubAgent, decisionLabel, effectOf, keyOfDecision, nameOfAgent } from './describe-ask.ts';
import { FormFields } from './FormFields.tsx';
import { fieldsOf, initialContent, missingFields } from './form-fields.ts';
import { type Answers, QuestionFields } from './QuestionFields.tsx';
import { Reason } from './Reason.tsx';
import { mayDecide } from './reading-gate.ts';
import { useAnswerKeys } from './use-answer-keys.ts';
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
  const ownThread = useApp((state) => state.meta?.thread_id ?? null);
  const isOfSubAgent = asksAsSubAgent(approval, ownThread);
  const agent = useApp((state) => nameOfAgent(rowOf(state.transcript, agentKey(approval.thread_id))));
  const lines = ask.kind === 'command' ? countLines(ask.command) : 0;
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

  const showEnd = () => end?.scrollIntoView({ block: 'end' });
  const dock = useRef<HTMLElement>(null);
  useFocusAfterwards(dock);
  const areKeysReady = useAnswerKeys(approval, (decision) => void decide(decision), showEnd);

  const bodyClass = classes(styles.body, hasMore && !wasEndShown && styles.fades);
  // The fields are part of the question: they stand above the end that must be seen.
  const isRead = ask.kind === 'questions' || ask.kind === 'elicitation';
  const mark = <div ref={setEnd} className={styles.mark} />;
  return (
    <section
      ref={dock}
      className={styles.dock}
      aria-label={en.approval.label}
      data-approval={approval.approval_id}
      data-keys={areKeysReady ? 'ready' : 'held'}
    >
      <div className={styles.head}>
        <ShieldQuestion size={16} aria-hidden />
        <h2 className={styles.effect}>{isOfSubAgent ? en.approval.bySubAgent(effectOf(ask), agent) : effectOf(ask)}</h2>
        {lines > 1 && <span className={styles.count}>{en.transcript.lines(lines)}</span>}
        {total > 1 && <span className={styles.count}>{en.approval.of(1, total)}</span>}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section ref={body} className={bodyClass} aria-label={en.approval.body} tabIndex={0}>
        <div className={styles.content}>
          <Guard fallback={() => <RawAsk ask={ask} form={isRead ? form.view : null} end={mark} />}>
            <AskBody ask={ask} approvalId={approval.approval_id} form={form.view} end={mark} />
          </Guard>
          {approval.reason !== undefined && <Reason text={approval.reason} by={en.approval.reason} />}
          {!isRead && form.view}
        </div>
      </section>
      {(hasMore || !wasEndShown) && (
        <div className={styles.more}>
          <span id={hintId}>{wasEndShown ? en.approval.more : en.approval.readFirst}</span>
          {!wasEndShown && end !== null && (
            <Button tone="quiet" onClick={showEnd}>
              {en.approval.showEnd}
              <Key name="e" />
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
              <Key name={keyOfDecision(approval, decision)} />
            </Button>
          );
        })}
      </div>
    </section>
  );
}

/** The buttons go away with the answer, and with them the focus: it goes to the message box, where `y` and `n` answer the next request. */
function useFocusAfterwards(dock: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const element = dock.current;
    return () => {
      const { activeElement: focused, body } = document;
      // On a touch screen the message box would open the keyboard over what comes next.
      if ((focused === body || element?.contains(focused)) && !matchMedia('(pointer: coarse)').matches)
        document.getElementById('composer')?.focus({ preventScroll: true });
    };
  }, [dock]);
}

/** The key that does the same; said to nobody who listens, since the button has its name. */
function Key({ name }: { readonly name: string | null }) {
  return name === null ? null : (
    <kbd className={styles.key} aria-hidden>
      {name}
    </kbd>
  );
}

/** What was asked, as it came: for a request whose own view failed. */
function RawAsk({ ask, form, end }: { readonly ask: Ask; readonly form: ReactNode; readonly end: ReactNode }) {
  const text = exactJson(ask);
  return (
    <>
      <Failed notice={text === null ? en.approval.unshowable : en.crash.ask} text={text ?? ''} />
      {form}
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

/** What Codex asked and what was answered: each question with its answer below it. */
import { MessageCircleQuestionMark } from 'lucide-react';
import type { AnsweredQuestion, EntryOf } from '../../contract/entry.ts';
import { EN_ANSWERS } from '../strings/en-answers.ts';
import styles from './AnswersCard.module.css';
import { showText } from './ansi.ts';

interface AnswersCardProps {
  readonly status: EntryOf<'approval'>['status'];
  /** Undefined where nobody here answered. */
  readonly decision: string | undefined;
  readonly questions: readonly AnsweredQuestion[];
}

export function AnswersCard({ status, decision, questions }: AnswersCardProps) {
  const isAnswered = status === 'accepted';
  return (
    <div className={styles.card}>
      <div className={styles.head}>
        <MessageCircleQuestionMark size={14} aria-hidden />
        {EN_ANSWERS.head[status]}
      </div>
      <dl className={styles.list}>
        {questions.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the questions of an entry never change
          <div key={at}>
            <dt>{showText(one.question)}</dt>
            {isAnswered && <dd>{answerOf(one, decision !== undefined)}</dd>}
          </div>
        ))}
      </dl>
    </div>
  );
}

function answerOf({ answers, is_secret }: AnsweredQuestion, isOurs: boolean) {
  if (!isOurs) return <span className={styles.quiet}>{EN_ANSWERS.unknown}</span>;
  if (is_secret) return <span className={styles.quiet}>{EN_ANSWERS.secret}</span>;
  return showText(answers.join('\n'));
}

/** The questions Codex asks before it goes on: pick an answer, or write one. */
import type { Ask } from '../../contract/approval.ts';
import { en } from '../strings/en.ts';
import { showText } from '../transcript/ansi.ts';
import styles from './ApprovalForm.module.css';

type Question = Extract<Ask, { kind: 'questions' }>['questions'][number];
export type Answers = Readonly<Record<string, readonly string[]>>;

interface QuestionFieldsProps {
  readonly questions: readonly Question[];
  readonly answers: Answers;
  readonly onChange: (answers: Answers) => void;
}

export function QuestionFields({ questions, answers, onChange }: QuestionFieldsProps) {
  return questions.map((question) => (
    <OneQuestion
      key={question.id}
      question={question}
      answer={answers[question.id]?.[0] ?? ''}
      onAnswer={(text) => onChange({ ...answers, [question.id]: text === '' ? [] : [text] })}
    />
  ));
}

interface OneQuestionProps {
  readonly question: Question;
  readonly answer: string;
  readonly onAnswer: (text: string) => void;
}

function OneQuestion({ question, answer, onAnswer }: OneQuestionProps) {
  const { options } = question;
  const isOther = answer !== '' && !options.some((option) => option.label === answer);
  const hasText = question.is_other || options.length === 0;
  return (
    <fieldset className={styles.field}>
      <legend className={styles.title}>{showText(question.question)}</legend>
      {options.map((option) => (
        <label key={option.label} className={styles.option}>
          <input
            type="radio"
            name={question.id}
            checked={answer === option.label}
            onChange={() => onAnswer(option.label)}
          />
          <span>
            {showText(option.label)}
            {option.description !== '' && <span className={styles.hint}>{showText(option.description)}</span>}
          </span>
        </label>
      ))}
      {hasText && (
        <input
          className={styles.input}
          type={question.is_secret ? 'password' : 'text'}
          autoComplete="off"
          aria-label={en.approval.other}
          placeholder={options.length === 0 ? en.approval.answer : en.approval.other}
          value={isOther || options.length === 0 ? answer : ''}
          onChange={(event) => onAnswer(event.target.value)}
        />
      )}
    </fieldset>
  );
}

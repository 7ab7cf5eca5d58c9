/** The inputs of an elicitation's form. */
import { useId } from 'react';
import { en } from '../strings/en.ts';
import { showText } from '../transcript/ansi.ts';
import styles from './ApprovalForm.module.css';
import type { Field } from './form-fields.ts';

type Content = Readonly<Record<string, unknown>>;

interface FormFieldsProps {
  readonly fields: readonly Field[];
  readonly content: Content;
  readonly onChange: (content: Content) => void;
}

export function FormFields({ fields, content, onChange }: FormFieldsProps) {
  return fields.map((field) => (
    <OneField
      key={field.name}
      field={field}
      value={content[field.name]}
      onChange={(value) => {
        const { [field.name]: _, ...rest } = content;
        onChange(value === undefined ? rest : { ...content, [field.name]: value });
      }}
    />
  ));
}

interface OneFieldProps {
  readonly field: Field;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function OneField({ field, value, onChange }: OneFieldProps) {
  const id = useId();
  if (field.input.type === 'choices')
    return <Choices field={field} options={field.input.options} value={value} onChange={onChange} />;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.title}>
        {showText(field.title)}
        {field.isRequired && <span className={styles.required}>{en.approval.required}</span>}
      </label>
      {field.hint !== '' && <span className={styles.hint}>{showText(field.hint)}</span>}
      <Input id={id} field={field} value={value} onChange={onChange} />
    </div>
  );
}

function Input({ id, field, value, onChange }: OneFieldProps & { readonly id: string }) {
  const { input } = field;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  switch (input.type) {
    case 'text':
      if (input.isLong)
        return (
          <textarea
            id={id}
            className={styles.input}
            rows={3}
            value={text}
            onChange={(event) => onChange(event.target.value)}
          />
        );
      return (
        <input
          id={id}
          className={styles.input}
          type={{ email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' }[input.format] ?? 'text'}
          value={text}
          onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
        />
      );
    case 'number':
      return (
        <input
          id={id}
          className={styles.input}
          type="number"
          step={input.isInteger ? 1 : 'any'}
          value={text}
          onChange={(event) =>
            onChange(Number.isNaN(event.target.valueAsNumber) ? undefined : event.target.valueAsNumber)
          }
        />
      );
    case 'boolean':
      return (
        <input id={id} type="checkbox" checked={value === true} onChange={(event) => onChange(event.target.checked)} />
      );
    case 'choice':
      return (
        <select
          id={id}
          className={styles.input}
          value={text}
          onChange={(event) => onChange(event.target.value || undefined)}
        >
          <option value="" />
          {input.options.map((option) => (
            <option key={option.value} value={option.value}>
              {showText(option.label)}
            </option>
          ))}
        </select>
      );
    case 'json':
      return (
        <textarea
          id={id}
          className={styles.input}
          rows={3}
          onChange={(event) => onChange(parsed(event.target.value))}
        />
      );
    case 'choices':
      return null;
    default:
      return input satisfies never;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === '' ? undefined : text;
  }
}

interface ChoicesProps extends OneFieldProps {
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

function Choices({ field, options, value, onChange }: ChoicesProps) {
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <fieldset className={styles.field}>
      <legend className={styles.title}>{showText(field.title)}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="checkbox"
            checked={chosen.includes(option.value)}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, option.value] : chosen.filter((one) => one !== option.value))
            }
          />
          {showText(option.label)}
        </label>
      ))}
    </fieldset>
  );
}

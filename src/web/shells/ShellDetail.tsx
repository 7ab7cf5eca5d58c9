/** One shell: what it is, what can be done with it, and its log. */
import { ArrowLeft } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { ShellView } from '../../contract/shellspec.ts';
import { EN_SHELLS } from '../strings/en-shells.ts';
import { Button } from '../ui/Button.tsx';
import fields from '../ui/Field.module.css';
import { formatExact } from '../ui/format.ts';
import { Lamp } from '../ui/Lamp.tsx';
import { LogView } from './LogView.tsx';
import { PortLinks } from './PortLinks.tsx';
import { ShellActs } from './ShellActs.tsx';
import styles from './ShellsPanel.module.css';
import { lampOf, stateWords, usageWords } from './shell-lamp.ts';
import type { ShellsState } from './use-shells.ts';

export function ShellDetail({ shell, state }: { readonly shell: ShellView; readonly state: ShellsState }) {
  return (
    <section className={styles.detail} aria-label={shell.title}>
      <header className={styles.head}>
        <Button
          tone="quiet"
          icon={<ArrowLeft size={16} aria-hidden />}
          name={EN_SHELLS.back}
          onClick={() => state.choose(null)}
        />
        <Lamp state={lampOf(shell)} name={stateWords(shell)} />
        <h3 className={styles.name}>{shell.title}</h3>
        <PortLinks shell={shell} />
        <ShellActs shell={shell} />
      </header>
      <p className={styles.facts}>{factsOf(shell).join(' · ')}</p>
      <p className={styles.command} title={shell.cwd}>
        {shell.command.join(' ')}
      </p>
      <LogView key={shell.id} shell={shell} log={state.log} onEarlier={state.readEarlier} />
      {shell.takes_input && <InputLine shell={shell} onInput={state.input} />}
    </section>
  );
}

function factsOf(shell: ShellView): readonly string[] {
  const words = EN_SHELLS;
  return [
    stateWords(shell),
    usageWords(shell),
    shell.usage === null ? '' : words.processes(shell.usage.processes),
    shell.pid === null ? '' : words.pid(shell.pid),
    shell.pid === null || shell.started_at === null ? '' : words.since(formatExact(shell.started_at)),
    shell.is_adopted ? words.adopted : '',
    shell.restarts === 0 ? '' : words.restarts(shell.restarts),
    shell.description ?? '',
  ].filter((word) => word !== '');
}

function InputLine({ shell, onInput }: { readonly shell: ShellView; readonly onInput: (data: string) => void }) {
  const [text, setText] = useState('');
  const send = (event: FormEvent) => {
    event.preventDefault();
    onInput(`${text}\n`);
    setText('');
  };
  return (
    <form className={styles.input} onSubmit={send}>
      <input
        className={fields.field}
        aria-label={EN_SHELLS.input(shell.title)}
        placeholder={EN_SHELLS.input(shell.title)}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit">{EN_SHELLS.send}</Button>
    </form>
  );
}

/** No conversation open: what this is, where to work, and a box to begin in. */
import { useState } from 'react';
import type { ConversationRow } from '../../contract/conversation.ts';
import { AccountPanel } from '../account/AccountPanel.tsx';
import { Composer } from '../composer/Composer.tsx';
import { useApp } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Mark } from '../ui/Mark.tsx';
import { CwdField } from './CwdField.tsx';
import styles from './Home.module.css';

export function Home() {
  const preferred = useApp((state) => state.preferences?.cwd ?? (newestCwd(state.list.values()) || state.serverCwd));
  const [chosen, setChosen] = useState<string | null>(null);
  const [suggestion, setSuggestion] = useState({ text: '', count: 0 });
  return (
    <div className={styles.home}>
      <div className={styles.column}>
        <Mark size={40} />
        <h1 className={styles.lead}>{en.empty.lead}</h1>
        <AccountPanel isBrief />
        <CwdField label={en.empty.start} value={chosen ?? preferred} onChange={setChosen} />
        <Composer
          key={suggestion.count}
          conversationId={null}
          cwd={chosen ?? preferred}
          initialText={suggestion.text}
        />
        <h2 className={styles.try}>{en.empty.try}</h2>
        <ul className={styles.suggestions}>
          {en.empty.suggestions.map((one) => (
            <li key={one.title}>
              <button
                type="button"
                className={styles.suggestion}
                onClick={() => setSuggestion({ text: one.text, count: suggestion.count + 1 })}
              >
                <strong>{one.title}</strong>
                <span>{one.text}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Where somebody worked last is where they go on. */
function newestCwd(rows: Iterable<ConversationRow>): string {
  let newest: ConversationRow | undefined;
  for (const row of rows) if (newest === undefined || row.updated_at > newest.updated_at) newest = row;
  return newest?.cwd ?? '';
}

/** No conversation open: where to work, how, and a box to begin in. Until there is anything also what this is, and what to try. */
import { useRef, useState } from 'react';
import type { ConversationRow } from '../../contract/conversation.ts';
import { Composer } from '../composer/Composer.tsx';
import { useStart } from '../start/use-start.ts';
import type { PlaceCall } from '../start/use-start-place.ts';
import { useApp } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Mark } from '../ui/Mark.tsx';
import { CwdField } from './CwdField.tsx';
import styles from './Home.module.css';

const AccountPanel = lazyPart((later) => later.AccountPanel);
const StartOptions = lazyPart((later) => later.StartOptions, { fallback: <div className={styles.options} /> });
const RecentProjects = lazyPart((later) => later.RecentProjects);

export function Home() {
  const preferred = useApp(
    (state) => state.newCwd ?? state.preferences?.cwd ?? (newestCwd(state.list.values()) || state.serverCwd),
  );
  const hasList = useApp((state) => state.listState === 'ready');
  const isEmpty = useApp((state) => state.list.size === 0);
  const isDemo = useApp((state) => state.account?.demo === true);
  const [chosen, setChosen] = useState<string | null>(null);
  const [suggestion, setSuggestion] = useState({ text: '', count: 0 });
  const cwd = chosen ?? preferred;
  const [message, setMessage] = useState('');
  const start = useStart(cwd);
  const place = useRef<PlaceCall>(() => ({ further: [] }));
  return (
    <div className={styles.home}>
      <div className={styles.column}>
        <div className={styles.head}>
          <Mark size={isEmpty ? 40 : 24} />
          {hasList && (
            <h1 className={isEmpty ? styles.lead : styles.title}>
              {isEmpty ? en.empty.lead : en.palette.newConversation}
            </h1>
          )}
        </div>
        <AccountPanel isBrief />
        <CwdField label={en.empty.start} value={cwd} onChange={setChosen} />
        <StartOptions start={start} cwd={cwd} message={message} place={place} />
        <Composer
          key={suggestion.count}
          conversationId={null}
          cwd={cwd}
          start={() => {
            const { further, ...first } = place.current();
            const call = { ...start.call, ...(cwd !== '' && { cwd }) };
            return { first: { ...call, ...first }, further: further.map((one) => ({ ...call, ...one })) };
          }}
          onText={setMessage}
          initialText={suggestion.text}
        />
        {!isEmpty && (
          <RecentProjects
            cwd={cwd}
            onPick={(project) => {
              setChosen(project);
              document.getElementById('composer')?.focus({ preventScroll: true });
            }}
          />
        )}
        {hasList && (isEmpty || isDemo) && (
          <Suggestions onPick={(text) => setSuggestion({ text, count: suggestion.count + 1 })} />
        )}
      </div>
    </div>
  );
}

function Suggestions({ onPick }: { readonly onPick: (text: string) => void }) {
  return (
    <section>
      <h2 className={styles.try} id="try">
        {en.empty.try}
      </h2>
      <ul className={styles.suggestions} aria-labelledby="try">
        {en.empty.suggestions.map((one) => (
          <li key={one.title}>
            <button type="button" className={styles.suggestion} onClick={() => onPick(one.text)}>
              <strong>{one.title}</strong>
              <span>{one.text}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Where somebody worked last is where they go on. */
function newestCwd(rows: Iterable<ConversationRow>): string {
  let newest: ConversationRow | undefined;
  for (const row of rows) if (newest === undefined || row.active_at > newest.active_at) newest = row;
  return newest?.cwd ?? '';
}

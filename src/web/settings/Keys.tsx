/** Every key that works everywhere: found by a word or by the key, changed by pressing the new one, and set back. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ACT_IDS, type ActId } from '../../contract/page-names.ts';
import { keysOf, keysPressed } from '../../core/page/key-bindings.ts';
import { assignKeys, conflictsOf, holderOf } from '../../core/page/key-changes.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { EN_SETTINGS } from '../strings/en-settings.ts';
import { Button } from '../ui/Button.tsx';
import styles from './Keys.module.css';

const words = EN_SETTINGS.keys;

export function Keys() {
  const own = useApp((state) => state.page.keys);
  const { setPage } = useCommands();
  const [query, setQuery] = useState('');
  const [changing, setChanging] = useState<ActId | null>(null);
  const isFound = (...texts: readonly string[]) =>
    query
      .toLowerCase()
      .split(/\s+/)
      .every((word) => texts.some((text) => text.toLowerCase().includes(word)));
  const acts = ACT_IDS.filter((id) => isFound(EN_SETTINGS.acts[id], keysOf(id, own)));
  const fixed = EN_SETTINGS.shortcuts.fixed.filter(([keys = '', what = '']) => isFound(keys, what));

  function assign(id: ActId, keys: string): void {
    setChanging(null);
    void setPage({ keys: assignKeys(id, keys, own) });
  }

  return (
    <>
      <div className={styles.tools}>
        <input
          type="search"
          className={styles.search}
          aria-label={words.search}
          placeholder={words.search}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <Button disabled={Object.keys(own).length === 0} onClick={() => void setPage({ keys: {} })}>
          {words.resetAll}
        </Button>
      </div>
      <ul aria-label={words.title}>
        {acts.map((id) => (
          <li key={id} className={styles.row}>
            <span>{EN_SETTINGS.acts[id]}</span>
            {changing === id ? (
              <Capture id={id} onKeys={(keys) => assign(id, keys)} onCancel={() => setChanging(null)} />
            ) : (
              <span className={styles.acts}>
                <Shown keys={keysOf(id, own)} />
                <Button tone="quiet" aria-label={words.changeOf(EN_SETTINGS.acts[id])} onClick={() => setChanging(id)}>
                  {words.change}
                </Button>
                {own[id] !== undefined && <Reset id={id} onKeys={assign} />}
              </span>
            )}
          </li>
        ))}
      </ul>
      {acts.length + fixed.length === 0 && <p className={styles.quiet}>{words.nothing}</p>}
      {fixed.length > 0 && (
        <>
          <p className={styles.quiet}>{words.fixed}</p>
          <ul aria-label={words.fixed}>
            {fixed.map(([keys = '', what]) => (
              <li key={keys} className={styles.row}>
                <span>{what}</span>
                <Shown keys={keys} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Shown({ keys }: { readonly keys: string }) {
  if (keys === '') return <span className={styles.quiet}>{words.none}</span>;
  return <kbd className={styles.keys}>{keys}</kbd>;
}

interface ResetProps {
  readonly id: ActId;
  readonly onKeys: (id: ActId, keys: string) => void;
}

/** The default may have been given to another act meanwhile: then the conflict is asked about as for any other key. */
function Reset({ id, onKeys }: ResetProps) {
  const own = useApp((state) => state.page.keys);
  const [isAsking, setAsking] = useState(false);
  const usual = keysOf(id, {});
  const [other] = conflictsOf(id, { ...own, [id]: usual });
  if (isAsking && other !== undefined) {
    return <Conflict keys={usual} other={other} onTake={() => onKeys(id, usual)} onKeep={() => setAsking(false)} />;
  }
  return (
    <Button
      tone="quiet"
      aria-label={words.resetOf(EN_SETTINGS.acts[id])}
      onClick={() => (other === undefined ? onKeys(id, usual) : setAsking(true))}
    >
      {words.reset}
    </Button>
  );
}

interface CaptureProps {
  readonly id: ActId;
  readonly onKeys: (keys: string) => void;
  readonly onCancel: () => void;
}

/** Takes the next key that is pressed; nothing else on the page hears it. */
function Capture({ id, onKeys, onCancel }: CaptureProps) {
  const own = useApp((state) => state.page.keys);
  const [pressed, setPressed] = useState<string | null>(null);
  const field = useRef<HTMLButtonElement>(null);
  useEffect(() => field.current?.focus(), []);
  const holder = pressed === null ? null : holderOf(pressed);
  const [other] = pressed === null ? [] : conflictsOf(id, { ...own, [id]: pressed });

  function onKeyDown(event: KeyboardEvent): void {
    // Tab leads on, so that nobody is caught here.
    if (event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') {
      onCancel();
      return;
    }
    const keys = keysPressed(event.nativeEvent);
    if (keys === null) return;
    const isFree = holderOf(keys) === null && conflictsOf(id, { ...own, [id]: keys }).length === 0;
    if (isFree) onKeys(keys);
    else setPressed(keys);
  }

  return (
    <div className={styles.capture}>
      <span className={styles.acts}>
        <button ref={field} type="button" className={styles.press} onKeyDown={onKeyDown}>
          {words.press}
        </button>
        <Button tone="quiet" onClick={() => onKeys('')}>
          {words.remove}
        </Button>
      </span>
      {pressed !== null && holder !== null && (
        <p role="alert" className={styles.problem}>
          {words.held(pressed, holder)}
        </p>
      )}
      {pressed !== null && holder === null && other !== undefined && (
        <Conflict keys={pressed} other={other} onTake={() => onKeys(pressed)} onKeep={onCancel} />
      )}
    </div>
  );
}

interface ConflictProps {
  readonly keys: string;
  readonly other: ActId;
  readonly onTake: () => void;
  readonly onKeep: () => void;
}

function Conflict({ keys, other, onTake, onKeep }: ConflictProps) {
  return (
    <div role="alert" className={styles.conflict}>
      <span className={styles.problem}>{words.conflict(keys, EN_SETTINGS.acts[other])}</span>
      <Button onClick={onTake}>{words.take}</Button>
      <Button tone="quiet" onClick={onKeep}>
        {words.keep}
      </Button>
    </div>
  );
}

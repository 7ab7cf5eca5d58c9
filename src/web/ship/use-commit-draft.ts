/** The message of the next commit: kept in this browser at every key, until the commit that took it was made. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import type { ShipRun } from '../../contract/ship.ts';
import { readJson, write } from '../state/device.ts';
import { useCommands } from '../state/use-app.ts';

interface Kept {
  /** Null: nobody has written anything; the template is shown. */
  readonly text: string | null;
  /** The commit that is to be amended; a newer one is not. */
  readonly amends: string | null;
  /** What stood there before: of an amendment, or of a suggestion. */
  readonly before: string | null;
  /** The run that commits it. */
  readonly run: string | null;
}

export interface CommitDraft {
  readonly text: string;
  /** Nothing but the template is there. */
  readonly isBlank: boolean;
  readonly isAmend: boolean;
  /** The text that a suggestion replaced. */
  readonly canPutBack: boolean;
  setText(text: string): void;
  suggest(text: string): void;
  putBack(): void;
  setAmend(isAmend: boolean): Promise<void>;
  /** This run commits it. */
  commitWith(run: string): void;
}

const EMPTY: Kept = { text: null, amends: null, before: null, run: null };
const keyOf = (id: ConversationId) => `signalbox.commit.${id}`;
const textOrNull = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

function readKept(id: ConversationId): Kept {
  const { text, amends, before, run }: Partial<Kept> = readJson(keyOf(id)) ?? {};
  return { text: textOrNull(text), amends: textOrNull(amends), before: textOrNull(before), run: textOrNull(run) };
}

export function useCommitDraft(id: ConversationId, head: string | null, newest: ShipRun | null): CommitDraft {
  const { ship } = useCommands();
  const [kept, setKept] = useState(() => readKept(id));
  const [template, setTemplate] = useState('');
  const isAmend = kept.amends !== null && kept.amends === head;

  /** What an answer that comes later finds: more may have been typed meanwhile. */
  const current = useRef(kept);
  const keep = useCallback(
    (next: Kept) => {
      current.current = next;
      setKept(next);
      write(keyOf(id), next.text === null ? null : JSON.stringify(next));
    },
    [id],
  );
  useEffect(() => {
    let isStale = false;
    void ship('suggestCommit', { id, what: 'template' }).then((answer) => {
      if (answer.ok && !isStale) setTemplate(answer.value.message);
    });
    return () => {
      isStale = true;
    };
  }, [id, ship]);
  // Also when the panel was closed meanwhile: the commit is made, so its message is used up.
  useEffect(() => {
    if (kept.run === null || newest?.id !== kept.run || newest.state === 'running') return;
    keep(newest.state === 'done' ? EMPTY : { ...kept, run: null });
  }, [kept, newest, keep]);

  const text = kept.text ?? template;
  return {
    text,
    isBlank: text.trim() === '' || (!isAmend && text.trim() === template.trim()),
    isAmend,
    canPutBack: !isAmend && kept.before !== null,
    setText: (next) => keep({ ...kept, text: next, before: isAmend ? kept.before : null }),
    suggest(next) {
      const { text: replaced, before } = current.current;
      keep({ ...current.current, text: next, before: replaced === next ? before : textOrNull(replaced) });
    },
    putBack: () => keep({ ...kept, text: kept.before, before: null }),
    async setAmend(wanted) {
      if (!wanted) return keep({ ...EMPTY, text: kept.before });
      const before = textOrNull(current.current.text);
      // The box is ticked at once; the message follows.
      keep({ ...EMPTY, text: current.current.text ?? template, amends: head, before });
      const answer = await ship('suggestCommit', { id, what: 'last_commit' });
      if (current.current.amends !== head) return;
      if (answer.ok) keep({ ...EMPTY, text: answer.value.message, amends: head, before });
      else keep({ ...EMPTY, text: before });
    },
    commitWith: (run) => keep({ ...current.current, run }),
  };
}

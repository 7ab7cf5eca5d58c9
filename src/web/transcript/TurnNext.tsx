/** Below the newest turn: the buttons for what to do next. */
import { useMemo } from 'react';
import type { EntryOf } from '../../contract/entry.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import styles from './NoticeCard.module.css';
import { nextSteps } from './next-steps.ts';

export function TurnNext({ entry }: { readonly entry: EntryOf<'status'> }) {
  const entries = useApp((state) => state.view.entries);
  const mode = useApp((state) => state.meta?.mode ?? 'default');
  const openId = useApp((state) => state.openId);
  const isIdle = useApp((state) => state.view.live.activity.state === 'idle' && state.view.live.holder === null);
  const steps = useMemo(() => nextSteps(entries, entry, mode), [entries, entry, mode]);
  const { send, compact, patch, show, toast } = useCommands();
  if (steps === null || openId === null || !isIdle) return null;
  const say = async (text: string, images: EntryOf<'user'>['images'] = []) => {
    const failure = await send(openId, { text, images, mode: 'send' });
    if (failure !== null) toast({ text: failure.message, tone: 'error' });
  };
  const { again, cure, hasPlan } = steps;
  return (
    <div className={styles.nextSteps}>
      {cure === 'compact' && (
        <Button tone="primary" onClick={() => void compact(openId)}>
          {en.nextSteps.compact}
        </Button>
      )}
      {cure === 'sign_in' && (
        <Button tone="primary" onClick={() => show('account')}>
          {en.nextSteps.signIn}
        </Button>
      )}
      {again !== null && (
        <Button
          tone={cure === null ? 'primary' : 'plain'}
          title={en.nextSteps.againHint}
          onClick={() => void say(again.text, again.images)}
        >
          {en.retry}
        </Button>
      )}
      {hasPlan && (
        <Button
          tone="primary"
          title={en.nextSteps.implementHint}
          onClick={async () => {
            await patch(openId, { mode: 'default' });
            await say(en.nextSteps.implementWords);
          }}
        >
          {en.nextSteps.implement}
        </Button>
      )}
    </div>
  );
}

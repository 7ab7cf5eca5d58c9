/** The line for a run of reads, listings and searches; it unfolds to the commands themselves. */
import { useApp } from '../state/use-app.ts';
import { Disclosure } from '../ui/Disclosure.tsx';
import { summarizeLooks } from './describe-actions.ts';
import type { Looks } from './looks.ts';
import { rowOf } from './rows.ts';

interface LooksRowProps {
  readonly looks: Looks;
  readonly onToggle: () => void;
}

export function LooksRow({ looks, onToggle }: LooksRowProps) {
  const project = useApp((state) => state.meta?.cwd ?? '');
  const transcript = useApp((state) => state.transcript);
  const actions = looks.members.flatMap((key) => {
    const row = rowOf(transcript, key);
    return row?.kind === 'entry' && row.entry.role === 'command' ? [row.entry.actions] : [];
  });
  return (
    <Disclosure edge="none" isOpen={looks.isUnfolded} onToggle={onToggle} head={summarizeLooks(actions, project)} />
  );
}

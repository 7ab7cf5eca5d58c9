/** In the header of each attempt: the way to the comparison. */
import { Columns3 } from 'lucide-react';
import { useApp, useCommands } from '../state/use-app.ts';
import { EN_ATTEMPTS } from '../strings/en-attempts.ts';
import { Button } from '../ui/Button.tsx';

export function AttemptsButton() {
  const isAttempt = useApp((state) => (state.meta?.attempt ?? null) !== null);
  const { show } = useCommands();
  if (!isAttempt) return null;
  return (
    <span data-fixed>
      <Button tone="quiet" icon={<Columns3 size={16} />} name={EN_ATTEMPTS.title} onClick={() => show('attempts')} />
    </span>
  );
}

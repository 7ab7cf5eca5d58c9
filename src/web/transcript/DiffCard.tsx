/** What a turn changed on disk, or would have changed. */
import type { EntryOf } from '../../contract/entry.ts';
import { en } from '../strings/en.ts';
import { LazyDiff } from './LazyDiff.tsx';

interface DiffCardProps {
  readonly rowKey: string;
  readonly diff: string;
  readonly status: EntryOf<'diff'>['status'];
}

const MAX_OPEN_FILES = 4;

export function DiffCard({ rowKey, diff, status }: DiffCardProps) {
  const refusal = status === 'applied' ? null : en.diffEnd[status];
  return <LazyDiff rowKey={rowKey} diff={diff} maxOpen={MAX_OPEN_FILES} refusal={refusal} />;
}

/** Which runs of looks are unfolded, and the keys of the rows that are shown. */
import { useMemo, useState } from 'react';
import { useApp } from '../state/use-app.ts';
import { type Folded, foldLooks, type Looks } from './looks.ts';

export function useLooks(keys: readonly string[]): Folded & { readonly toggle: (looks: Looks) => void } {
  const settled = useApp((state) => state.transcript.settled);
  // Whoever looks for something finds it, also in what is folded.
  const soughtKey = useApp((state) => state.jump?.key);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const folded = useMemo(() => {
    const open = soughtKey === undefined ? unfolded : new Set([...unfolded, soughtKey]);
    return foldLooks(keys, (key) => settled.get(key), open);
  }, [keys, settled, unfolded, soughtKey]);
  const toggle = ({ members, isUnfolded }: Looks) =>
    setUnfolded((before) => {
      const after = new Set(before);
      for (const key of members) after.delete(key);
      if (!isUnfolded && members[0] !== undefined) after.add(members[0]);
      return after;
    });
  return { ...folded, toggle };
}

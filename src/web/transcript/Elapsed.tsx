/** Seconds since a thing began, counting. */
import { useEffect, useState } from 'react';
import { formatDuration } from '../ui/format.ts';

const TICK_MS = 1_000;

export function Elapsed({ sinceMs }: { readonly sinceMs: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  if (sinceMs <= 0) return null;
  return <span>{formatDuration(Math.max(0, Math.floor((now - sinceMs) / TICK_MS) * TICK_MS))}</span>;
}

/** For tests of crashes: `SIGNALBOX_KILL_AT=before:give:2` kills this process right before it performs the second `give` of the outbox. */
type At = (when: 'before' | 'after', output: string) => void;

export function killPointOf(setting: string | undefined): At {
  const [when, output, count] = setting?.split(':') ?? [];
  if (when === undefined || output === undefined) return () => undefined;
  let left = Number(count ?? 1);
  return (at, done) => {
    if (at !== when || done !== output) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  };
}

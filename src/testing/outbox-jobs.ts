/** What the simulated server of the outbox has begun and not finished: writes and requests, in lanes that each keep their order. */

/** Writes of the sidecar, of the transcript and of the ledger, requests to Codex, and its answers. */
const LANES = ['sidecar', 'transcript', 'codex', 'ledger', 'answer'] as const;
type Lane = (typeof LANES)[number];

interface Job {
  readonly lane: Lane;
  readonly run: () => void;
}

/** More than any world of the tests has to do. */
const MAX_JOBS = 2_000;

export function createJobs(onEndless: (when: string) => void) {
  let jobs: Job[] = [];
  const runJob = (job: Job | undefined): void => {
    jobs = jobs.filter((one) => one !== job);
    job?.run();
  };
  return {
    add(lane: Lane, run: () => void): void {
      jobs.push({ lane, run });
    },
    /** Jobs of one lane are done in order; which lane is first, the test says. */
    perform(pick: number): void {
      const first = LANES.flatMap((lane) => jobs.find((one) => one.lane === lane) ?? []);
      runJob(first[pick % Math.max(1, first.length)]);
    },
    runAll(when: string): void {
      for (let count = 0; jobs.length > 0; count += 1) {
        if (count > MAX_JOBS) {
          onEndless(when);
          jobs = [];
        } else runJob(jobs[0]);
      }
    },
    /** The server is killed. `reach`: how many jobs of each lane reach the disk or Codex all the same. */
    cut(reach: number): void {
      const under = jobs;
      jobs = [];
      for (const [at, lane] of LANES.entries()) {
        const count = Math.floor(reach / 4 ** at) % 4;
        for (const job of under.filter((one) => one.lane === lane).slice(0, count)) job.run();
      }
      // What those would have begun next, a killed server does not begin.
      jobs = [];
    },
  };
}

/** One question at a time: while one is under way only the newest waits. */

export interface Latest<Q> {
  ask(question: Q): void;
  /** Nothing that is under way will be told. */
  forget(): void;
}

export function createLatest<Q, A>(
  fetch: (question: Q) => Promise<A>,
  tell: (answer: A, question: Q) => void,
): Latest<Q> {
  let isBusy = false;
  let waiting: { readonly question: Q } | null = null;
  let turn = 0;

  async function run(question: Q): Promise<void> {
    isBusy = true;
    const mine = turn;
    const answer = await fetch(question);
    isBusy = false;
    const next = waiting;
    waiting = null;
    if (next !== null) void run(next.question);
    // An answer that is no longer the newest still shows something while the next one is on its way.
    if (mine === turn) tell(answer, question);
  }

  return {
    ask: (question) => {
      if (isBusy) waiting = { question };
      else void run(question);
    },
    forget: () => {
      turn += 1;
      waiting = null;
    },
  };
}

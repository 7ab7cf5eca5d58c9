/** An error of Codex or the model → one sentence that says what happened and one that says what to do. Pure. */

export interface Explained {
  readonly what: string;
  readonly next: string;
}

const AGAIN = 'Send your message again, or go on with another.';

/** By Codex's own word for the kind of error. What is not here is explained by its text alone. */
const ADVICE: Readonly<Record<string, { readonly what?: string; readonly next: string }>> = {
  contextWindowExceeded: {
    what: 'The conversation no longer fits into the model’s context.',
    next: 'Summarize it with /compact, or begin a new conversation.',
  },
  sessionBudgetExceeded: { next: 'Begin a new conversation.' },
  usageLimitExceeded: { next: 'Wait until the limit is reset, or sign in with another account.' },
  rateLimitExceeded: { next: 'Wait a moment, then send your message again.' },
  serverOverloaded: { what: 'The model is overloaded.', next: 'Wait a moment, then send your message again.' },
  modelNotFound: { next: 'Choose another model in the header.' },
  unauthorized: { what: 'The model refused the login.', next: 'Sign in again under Account.' },
  httpConnectionFailed: { next: 'Check the network, then send your message again.' },
  responseStreamConnectionFailed: { next: 'Check the network, then send your message again.' },
  responseStreamDisconnected: { next: 'What was said is kept. Send your message again to go on.' },
  responseTooManyFailedAttempts: { next: 'Check the network, then send your message again.' },
  internalServerError: { what: 'The model’s server failed.', next: 'Send your message again in a moment.' },
  thread_unreadable: {
    what: 'Codex cannot read its own record of this conversation; the transcript here is complete.',
    next: 'Send a message: you can then go on in a new thread.',
  },
  sandboxError: { next: 'Look at the sandbox in the header, then try again.' },
};

/** Codex calls every refusal of a request by these words, also one that has a status: then the network is fine. */
const CONNECTION: ReadonlySet<string> = new Set([
  'httpConnectionFailed',
  'responseStreamConnectionFailed',
  'responseStreamDisconnected',
  'responseTooManyFailedAttempts',
]);

/** By the status inside the text, when Codex has no word for it. */
const OF_STATUS: readonly (readonly [RegExp, string])[] = [
  [/\b401\b/, 'unauthorized'],
  [/\b429\b/, 'rateLimitExceeded'],
  [/\b50[0-9]\b/, 'internalServerError'],
];

export function explainError(text: string, code: string | null): Explained {
  const kind = kindOfError(text, code);
  const known = kind === null ? undefined : ADVICE[kind];
  const own = messageIn(text);
  // What the other side said itself is better than our general word, unless it is only a number.
  const what = own ?? known?.what ?? firstSentence(text);
  return { what: sentence(what), next: known?.next ?? AGAIN };
}

/** Codex's own word for the kind of error, or one that follows from its text; null for a kind nobody knows. */
export function kindOfError(text: string, code: string | null): string | null {
  const byStatus = code !== null && CONNECTION.has(code) ? kindOf(/\bstatus:? (\d{3})\b/.exec(text)?.[1] ?? '') : null;
  if (byStatus !== null) return byStatus;
  return code !== null && code in ADVICE ? code : kindOf(text);
}

function kindOf(text: string): string | null {
  return OF_STATUS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** The message inside JSON that came as an answer: `… 400 Bad Request: {"error":{"message":"…"}}`. */
function messageIn(text: string): string | null {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start < 0 || end < start) return null;
  try {
    return pickMessage(JSON.parse(text.slice(start, end + 1)));
  } catch {
    return null;
  }
}

function pickMessage(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  if (typeof value !== 'object' || value === null) return null;
  for (const key of ['message', 'detail', 'error'] as const) {
    const found = key in value ? pickMessage(Reflect.get(value, key)) : null;
    if (found !== null) return found;
  }
  return null;
}

/** Up to the first JSON or line break: what follows is for the details. */
function firstSentence(text: string): string {
  const line = text.trim().split(/\n/, 1)[0] ?? '';
  const json = line.indexOf('{');
  const words = (json < 0 ? line : line.slice(0, json)).trim();
  return (json < 0 ? words : words.replace(/[:,]$/, '').trim()) || 'Something went wrong.';
}

function sentence(text: string): string {
  const upper = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(upper) ? upper : `${upper}.`;
}

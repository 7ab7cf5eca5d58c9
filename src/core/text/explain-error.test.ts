/** Errors in words: what happened, then what to do. */
import { expect, test } from 'vitest';
import { explainError } from './explain-error.ts';

const AGAIN = 'Send your message again, or go on with another.';

test.each([
  [
    'the message inside an answer',
    'unexpected status 400 Bad Request: {"error":{"message":"no such thing as that","type":"x"}}, url: http://a/b',
    null,
    { what: 'No such thing as that.', next: AGAIN },
  ],
  ['a bare JSON body', '{"detail":"Unsupported model"}', 'badRequest', { what: 'Unsupported model.', next: AGAIN }],
  [
    'a word of Codex',
    "Codex ran out of room in the model's context window.",
    'contextWindowExceeded',
    {
      what: 'The conversation no longer fits into the model’s context.',
      next: 'Summarize it with /compact, or begin a new conversation.',
    },
  ],
  [
    'a limit, in its own words',
    "You've hit your usage limit. Try again at 5 PM.",
    'usageLimitExceeded',
    {
      what: "You've hit your usage limit. Try again at 5 PM.",
      next: 'Wait until the limit is reset, or sign in with another account.',
    },
  ],
  [
    'a status without a word',
    'unexpected status 401 Unauthorized: , url: http://a/b',
    'other',
    { what: 'The model refused the login.', next: 'Sign in again under Account.' },
  ],
  [
    'a status that Codex calls a failed connection',
    'unexpected status 401 Unauthorized: Incorrect API key provided., url: http://127.0.0.1:429/v1/responses',
    'httpConnectionFailed',
    { what: 'The model refused the login.', next: 'Sign in again under Account.' },
  ],
  [
    'a status behind too many attempts',
    'exceeded retry limit, last status: 429 Too Many Requests',
    'responseTooManyFailedAttempts',
    {
      what: 'Exceeded retry limit, last status: 429 Too Many Requests.',
      next: 'Wait a moment, then send your message again.',
    },
  ],
  [
    'a connection that failed, to a port that reads like a status',
    'error sending request for url (http://127.0.0.1:401/v1/responses)',
    'httpConnectionFailed',
    {
      what: 'Error sending request for url (http://127.0.0.1:401/v1/responses).',
      next: 'Check the network, then send your message again.',
    },
  ],
  ['JSON that is none', 'it said {not json}\nand more', null, { what: 'It said.', next: AGAIN }],
  ['nothing', '', null, { what: 'Something went wrong.', next: AGAIN }],
  ['an empty object', '{}', null, { what: 'Something went wrong.', next: AGAIN }],
])('%s', (_name, text, code, explained) => {
  expect(explainError(text, code)).toEqual(explained);
});

/**
 * The inline directive `<<model [Answer, …]>>`: a message that scripts its own turn, so that an end-to-end test can play
 * the model from the composer. The i-th request of the turn gets the i-th answer.
 */
import { type Answer, isAnswer } from './model-event.ts';

/** Answers of the directive in a message, or undefined when there is none. A directive that is wrong answers with why. */
export function parseDirective(userText: string): readonly Answer[] | undefined {
  const source = /<<model\s+(\[.*\])\s*>>/s.exec(userText)?.[1];
  if (source === undefined) return undefined;
  let answers: unknown;
  try {
    answers = JSON.parse(source);
  } catch (error) {
    return complain(error instanceof Error ? error.message : String(error));
  }
  if (!Array.isArray(answers)) return complain('expected an array');
  const wrong = answers.findIndex((answer) => !isAnswer(answer));
  return wrong < 0 ? answers.filter(isAnswer) : complain(`answer ${wrong} is not { events } or { status }`);
}

function complain(reason: string): readonly Answer[] {
  return [{ events: [{ say: `Bad <<model>> directive: ${reason}` }] }];
}

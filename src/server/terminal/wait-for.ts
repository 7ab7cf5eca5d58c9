/** Waiting for a text or a prompt: on what the terminal prints, never on time. */
import { fail, ok, type Result } from '../../contract/result.ts';
import type { TerminalKey } from '../../contract/terminal.ts';
import { cleanOutput } from '../../core/terminal/clean-output.ts';
import type { Clock } from '../../node/clock.ts';
import { createPatientPattern } from '../../node/patient-pattern.ts';
import type { PtyHostLink } from './pty-host-link.ts';
import type { WaitRequest, WaitResult } from './terminals.ts';

/** Looked through for the pattern, and answered with: what is older has scrolled away for a person too. */
const MAX_WAIT_BYTES = 64 * 1024;
/** Far more than an honest pattern needs for that much text; an agent's pattern must not stop the server. */
const MAX_MATCH_MS = 250;

export async function waitFor(
  link: PtyHostLink,
  clock: Clock,
  id: TerminalKey,
  request: WaitRequest,
): Promise<Result<WaitResult>> {
  const pattern = readPattern(request.pattern);
  if (!pattern.ok) return pattern;
  const client = link.client();
  const known = link.running(id);
  if (client === null || known === null) return fail('not_running', 'the terminal does not run: open it');

  return new Promise((done) => {
    let bytes = Buffer.alloc(0);
    /** From now on, unless the caller says: the first frame tells how far the terminal has printed. */
    let from = request.from ?? null;
    let cursor = from ?? known.cursor;
    let isDone = false;
    const text = () => cleanOutput(bytes.toString('utf8'));
    const searched = () => behindLines(text(), request.skipLines ?? 0);
    const settle = (answer: Result<WaitResult>) => {
      if (isDone) return;
      isDone = true;
      timer.cancel();
      request.signal?.removeEventListener('abort', abort);
      stopListening();
      link.removeViewer(viewer);
      done(answer);
    };
    const finish = (matched: boolean) => settle(ok({ matched, text: text(), cursor }));
    const abort = () => finish(false);
    const look = () => {
      const isAtPrompt = request.prompt === true && link.running(id)?.at_prompt === true;
      const isFound = pattern.value?.(searched());
      if (isAtPrompt || isFound === true) finish(true);
      else if (isFound === null)
        settle(fail('invalid_request', 'pattern: takes too long on this text: make it simpler'));
    };
    const viewer = link.addViewer({
      send(frame) {
        if (from !== null || frame.type !== 'state') return;
        from = frame.state.cursor;
        cursor = from;
      },
      write(offset, chunk) {
        const wanted = chunk.subarray(Math.max(0, (from ?? offset) - offset));
        bytes = Buffer.concat([bytes, wanted]).subarray(-MAX_WAIT_BYTES);
        cursor = offset + chunk.length;
        client.send({ do: 'ack', viewer, cursor });
        look();
      },
    });
    const stopListening = link.listen(id, (event) => {
      if (event.type === 'gone') finish(false);
      else look();
    });
    const timer = clock.setTimer(request.timeoutMs, abort);
    request.signal?.addEventListener('abort', abort);
    if (request.signal?.aborted === true) return abort();
    void link.attachViewer(id, viewer, cursor).then((attached) => {
      if (!attached.ok) settle(attached);
    });
    look();
  });
}

/** Empty until the last of these lines has ended. */
function behindLines(text: string, count: number): string {
  let start = 0;
  for (let line = 0; line < count; line += 1) {
    const end = text.indexOf('\n', start);
    if (end < 0) return '';
    start = end + 1;
  }
  return text.slice(start);
}

function readPattern(given: string | undefined): Result<((text: string) => boolean | null) | undefined> {
  if (given === undefined || given === '') return ok(undefined);
  const regex = /^\/(.+)\/([imsu]*)$/s.exec(given);
  if (regex === null) return ok((text) => text.includes(given));
  try {
    return ok(createPatientPattern(new RegExp(regex[1] ?? '', regex[2]), MAX_MATCH_MS));
  } catch (error) {
    return fail('invalid_request', `pattern: ${error instanceof Error ? error.message : 'not a regular expression'}`);
  }
}

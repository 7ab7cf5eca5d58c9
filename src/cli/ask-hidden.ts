/** Asks for a password at the terminal, without showing it. */
import { openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { ReadStream, WriteStream } from 'node:tty';
import { fail, ok, type Result } from '../contract/result.ts';

/** At the terminal itself, whatever stdin is: a password never comes through a pipe by mistake. */
export async function askHidden(question: string): Promise<Result<string>> {
  let input: ReadStream;
  let output: WriteStream;
  try {
    input = new ReadStream(openSync('/dev/tty', 'r'));
    output = new WriteStream(openSync('/dev/tty', 'w'));
  } catch {
    return fail('invalid_request', 'this needs a terminal: run it in one');
  }
  output.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal: true });
  const text = await new Promise<string>((done) => {
    lines.once('line', done);
    lines.once('close', () => done(''));
  });
  lines.close();
  input.destroy();
  output.write('\n');
  output.destroy();
  return ok(text);
}

/** A frame of the event stream as it came, after a check that it is what the contract says. For tests only. */
import { ServerFrame } from '../contract/ui-event.ts';

/** Throws for a frame that the contract does not allow: inside a socket's listener that fails the run of the tests. */
export function readFrame(text: string): ServerFrame {
  const frame: ServerFrame = JSON.parse(text);
  const { error } = ServerFrame.safeParse(frame);
  if (error !== undefined) throw new Error(`not a frame of the contract: ${text.slice(0, 500)}\n${error.message}`);
  return frame;
}

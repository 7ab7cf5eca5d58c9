/** `WS /ws/pty/{terminal}?cursor=N`, where a conversation stands for its shared terminal: a terminal's bytes to a viewer, and what the viewer types. Frames of a viewer get no answer. */
import type { RawData, WebSocket } from 'ws';
import { fail, ok, type Result } from '../../contract/result.ts';
import { SOCKETS } from '../../contract/sockets.ts';
import { PtyClientFrame, type PtyServerFrame, TerminalKey } from '../../contract/terminal.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import type { Logger } from '../../node/logger.ts';
import type { SocketDoor, SocketVisit } from '../socket-door.ts';
import type { Attachment, Terminals } from './terminals.ts';

const PATH = SOCKETS.terminal.path;
/** WebSocket's own numbers: nothing more will come, and try again later. */
const CLOSE_DONE = 1000;
const CLOSE_REFUSED = 1013;
/** A window of bytes, a screen and some frames: the terminal sends no more than that before it is acknowledged. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;
/** What a viewer may say before it is attached. */
const MAX_EARLY_FRAMES = 100;

interface Target {
  readonly id: TerminalKey;
  readonly cursor: number | null;
}

export function createTerminalSocket(terminals: Pick<Terminals, 'attach'>, log: Logger): SocketDoor {
  return {
    ...SOCKETS.terminal,
    refuse(visit) {
      const target = readTarget(visit);
      return target.ok ? null : target.error;
    },
    open(ws, visit) {
      const target = readTarget(visit);
      if (target.ok) serve(ws, target.value, terminals, log);
      else ws.close(CLOSE_REFUSED, target.error.code);
    },
  };
}

function readTarget({ path, query }: SocketVisit): Result<Target> {
  const id = TerminalKey.safeParse(path.slice(PATH.length));
  if (!id.success) return fail('invalid_request', 'expected /ws/pty/{conversation_id}, or /ws/pty/{conversation_id}~N');
  const names = [...query.keys()];
  const cursor = query.get('cursor');
  if (names.length > 1 || (names.length === 1 && !/^\d{1,15}$/.test(cursor ?? ''))) {
    return fail('invalid_request', 'the only query there is, is ?cursor=N');
  }
  return ok({ id: id.data, cursor: cursor === null ? null : Number(cursor) });
}

function serve(ws: WebSocket, { id, cursor }: Target, terminals: Pick<Terminals, 'attach'>, log: Logger): void {
  const send = (frame: PtyServerFrame) => ws.send(JSON.stringify(frame));
  const refuse = (code: string, message: string) => send({ type: 'refused', code, message });
  const early: PtyClientFrame[] = [];
  let receive = (frame: PtyClientFrame): void => {
    if (early.length < MAX_EARLY_FRAMES) early.push(frame);
  };
  let detach = () => {};

  ws.on('message', (data, isBinary) => {
    const frame = decodeFrame(data, isBinary);
    if (frame.ok) receive(frame.value);
    else refuse(frame.error.code, frame.error.message);
  });
  ws.on('close', () => detach());

  const viewer = {
    send,
    write(offset: number, bytes: Buffer) {
      if (ws.bufferedAmount > MAX_UNSENT_BYTES) {
        ws.terminate();
        return;
      }
      const frame = Buffer.allocUnsafe(8 + bytes.length);
      frame.writeBigUInt64BE(BigInt(offset));
      bytes.copy(frame, 8);
      ws.send(frame, { binary: true });
    },
    end: () => ws.close(CLOSE_DONE, 'the shell ended'),
  };
  const attach = async () => {
    const attached = await terminals.attach(id, cursor, viewer);
    if (!attached.ok) {
      refuse(attached.error.code, attached.error.message);
      ws.close(CLOSE_REFUSED, attached.error.code);
      return;
    }
    detach = attached.value.detach;
    if (ws.readyState !== ws.OPEN) return detach();
    receive = (frame) => perform(frame, attached.value);
    for (const frame of early.splice(0)) receive(frame);
  };
  attach().catch((error: unknown) => {
    log.error({ error, id }, 'a viewer could not be attached');
    ws.terminate();
  });
}

function perform(frame: PtyClientFrame, terminal: Attachment): void {
  switch (frame.type) {
    case 'input':
      terminal.input(frame.data);
      break;
    case 'resize':
      terminal.resize({ cols: frame.cols, rows: frame.rows });
      break;
    case 'ack':
      terminal.ack(frame.cursor);
      break;
    default:
      frame satisfies never;
  }
}

function decodeFrame(data: RawData, isBinary: boolean): Result<PtyClientFrame> {
  if (isBinary) return fail('invalid_request', 'frames are text');
  const value = parseJson(data.toString());
  if (value === null) return fail('invalid_request', 'a frame is JSON');
  const frame = PtyClientFrame.safeParse(value);
  return frame.success ? ok(frame.data) : fail('invalid_request', frame.error.issues[0]?.message ?? 'not as expected');
}

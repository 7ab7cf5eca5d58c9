/** The viewers of each terminal: all get the same bytes, but one of them leads: its size counts, and its emulator answers. */
import { fail, ok, type Result } from '../../contract/result.ts';
import { Block, type PtyServerFrame, type PtySize, type TerminalKey } from '../../contract/terminal.ts';
import { isReport } from '../../core/terminal/is-report.ts';
import { runningStateOf } from '../../core/terminal/running-state.ts';
import type { PtyHostLink } from './pty-host-link.ts';
import type { Attachment, Viewer } from './terminals.ts';

export type Viewing = (id: TerminalKey, cursor: number | null, port: Viewer) => Promise<Result<Attachment>>;

export function createViewing(link: PtyHostLink): Viewing {
  /** Ids of the viewers of each terminal. The first one leads; a viewer that types becomes the first. */
  const viewersOf = new Map<TerminalKey, number[]>();

  return async (id, cursor, port) => {
    const client = link.client();
    if (client === null || link.running(id) === null) return fail('not_running', 'the terminal does not run: open it');
    let size: PtySize | null = null;
    let acked = 0;
    let printedAtAttach = 0;
    /** Bytes before this were printed before the viewer came: its emulator must not answer what was asked in them. */
    let liveFrom = Number.POSITIVE_INFINITY;

    const viewer = link.addViewer({
      send(frame: PtyServerFrame) {
        if (frame.type === 'state') {
          printedAtAttach = frame.state.cursor;
          if (cursor !== null) liveFrom = printedAtAttach;
        } else if (frame.type === 'screen') liveFrom = Math.max(frame.cursor, printedAtAttach);
        port.send(frame);
      },
      write: port.write,
    });
    const viewers = viewersOf.get(id) ?? [];
    viewersOf.set(id, viewers);
    viewers.push(viewer);
    const stopListening = link.listen(id, (event) => {
      switch (event.type) {
        case 'block':
          port.send({ type: 'block', block: Block.parse(event.record), at: event.record.at });
          break;
        case 'state':
          port.send({ type: 'state', state: runningStateOf(event.terminal) });
          break;
        case 'input_refused':
          port.send({ type: 'refused', code: event.code, message: event.message });
          break;
        case 'gone':
          port.end();
          break;
        default:
          event satisfies never;
      }
    });
    const detach = () => {
      stopListening();
      link.removeViewer(viewer);
      const at = viewers.indexOf(viewer);
      if (at >= 0) viewers.splice(at, 1);
      if (viewers.length === 0 && viewersOf.get(id) === viewers) viewersOf.delete(id);
    };
    const attached = await link.attachViewer(id, viewer, cursor);
    if (!attached.ok) {
      detach();
      return attached;
    }

    const isLeader = () => viewers[0] === viewer;
    const sendSize = (next: PtySize) => client.send({ do: 'resize', key: id, ...next });
    const sendInput = (data: string) => client.send({ do: 'input', key: id, data, actor: 'user' });
    return ok({
      input(data) {
        if (isReport(data)) {
          if (isLeader() && acked >= liveFrom) sendInput(data);
          return;
        }
        const at = viewers.indexOf(viewer);
        if (at > 0) {
          viewers.splice(at, 1);
          viewers.unshift(viewer);
          if (size !== null) sendSize(size);
        }
        sendInput(data);
      },
      resize(next) {
        size = next;
        if (isLeader()) sendSize(next);
      },
      ack(next) {
        acked = Math.max(acked, next);
        client.send({ do: 'ack', viewer, cursor: next });
      },
      detach,
    });
  };
}

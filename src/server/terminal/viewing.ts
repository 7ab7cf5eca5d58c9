/** Who looks at a terminal through the server: they get the same bytes, but one of them leads: its size counts, and its emulator answers. */
import type { ConversationId } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { Block, type PtySize, type TerminalState } from '../../contract/terminal.ts';
import { isReport } from '../../core/terminal/is-report.ts';
import type { Room } from './room.ts';
import type { Attachment, Viewer } from './terminals.ts';

interface Seat {
  size: PtySize | null;
}

export type Viewing = (id: ConversationId, cursor: number | null, viewer: Viewer) => Promise<Result<Attachment>>;

export function createViewing(room: Room, stateOf: (id: ConversationId) => Promise<TerminalState>): Viewing {
  /** The first of each terminal leads; who types takes over. */
  const seats = new Map<ConversationId, Seat[]>();

  return async (id, cursor, viewer) => {
    const client = room.link();
    if (client === null || room.running(id) === null) return fail('not_running', 'the terminal does not run: open it');
    const seat: Seat = { size: null };
    const row = seats.get(id) ?? [];
    seats.set(id, row);
    row.push(seat);
    let acked = 0;
    /** What was printed before this viewer came is only shown to it again: its emulator must not answer what was asked then. */
    let liveFrom = Number.POSITIVE_INFINITY;

    const number = room.addViewer({
      tell(frame) {
        if (frame.type === 'screen') liveFrom = Math.max(frame.cursor, cursorAtStart);
        viewer.tell(frame);
      },
      write: viewer.write,
    });
    const stopListening = room.listen(id, (event) => {
      if (event.type === 'block') {
        viewer.tell({ type: 'block', block: Block.parse(event.record), at: event.record.at });
      } else if (event.type === 'state') void stateOf(id).then((state) => viewer.tell({ type: 'state', state }));
      else viewer.end();
    });
    const state = await stateOf(id);
    const cursorAtStart = state.cursor;
    if (cursor !== null) liveFrom = cursorAtStart;
    viewer.tell({ type: 'state', state });
    const attached = await client.request({ do: 'attach', key: id, viewer: number, cursor });

    const leave = () => {
      stopListening();
      room.removeViewer(number);
      row.splice(row.indexOf(seat), 1);
      if (row.length === 0 && seats.get(id) === row) seats.delete(id);
    };
    const resize = (size: PtySize) => client.send({ do: 'resize', key: id, ...size });
    if (!attached.ok) {
      leave();
      return attached;
    }
    return ok({
      input(data) {
        if (isReport(data)) {
          if (row[0] === seat && acked >= liveFrom) client.send({ do: 'input', key: id, data, actor: 'user' });
          return;
        }
        if (row[0] !== seat && row.includes(seat)) {
          row.splice(row.indexOf(seat), 1);
          row.unshift(seat);
          if (seat.size !== null) resize(seat.size);
        }
        client.send({ do: 'input', key: id, data, actor: 'user' });
      },
      resize(size) {
        seat.size = size;
        if (row[0] === seat) resize(size);
      },
      ack(next) {
        acked = Math.max(acked, next);
        client.send({ do: 'ack', viewer: number, cursor: next });
      },
      detach: leave,
    });
  };
}

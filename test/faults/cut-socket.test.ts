/** The socket cut at every event of a turn: what the client knows afterwards equals what a fresh load shows. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServerFrame } from '../../src/contract/ui-event.ts';
import { EMPTY_VIEW, reduceConversation } from '../../src/core/conversations/reduce.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

test('[FT8] a client cut off after any event and back with its cursor equals a fresh load', async () => {
  box.model.push(
    {
      events: [
        { think: ['one', 'two'] },
        { say: 'some words come', chunk: 4 },
        { call: 'exec_command', args: { cmd: 'echo out', login: false } },
      ],
    },
    { events: [{ say: 'and an end', chunk: 4 }] },
  );
  const id = await box.create({ approval: 'never' });
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: 'go' });
  await watcher.turnEnd();
  const ofTurn = watcher.frames.filter((frame) => 'conversation_id' in frame);
  expect(ofTurn.length).toBeGreaterThan(12);
  const fresh = (await box.watch(id)).view();
  for (let cut = 1; cut <= ofTurn.length; cut += 1) {
    let view = ofTurn.slice(0, cut).reduce(reduceConversation, EMPTY_VIEW);
    const back = await box.watch(id, view.lastSeq);
    view = back.frames.reduce((sofar: typeof view, frame: ServerFrame) => reduceConversation(sofar, frame), view);
    back.close();
    expect(view, `cut after frame ${cut}`).toEqual(fresh);
  }
});

test('[FT8] clients that come and go while it streams all end with the same picture', async () => {
  box.model.push({ events: [{ say: 'word '.repeat(400), chunk: 5, delayMs: 1 }] });
  const id = await box.create({ approval: 'never' });
  const steady = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: 'stream' });
  let view = EMPTY_VIEW;
  const isOver = () => steady.frames.some((frame) => frame.type === 'status');
  let cuts = 0;
  while (!isOver() && cuts < 60) {
    const back = await box.watch(id, view.lastSeq);
    const until = back.frames.length + 1 + (cuts % 7);
    await Promise.race([back.until(() => back.frames.length >= until), steady.turnEnd()]);
    view = [...back.frames].reduce((sofar, frame) => reduceConversation(sofar, frame), view);
    back.close();
    cuts += 1;
  }
  await steady.turnEnd();
  const last = await box.watch(id, view.lastSeq);
  view = last.frames.reduce((sofar: typeof view, frame: ServerFrame) => reduceConversation(sofar, frame), view);
  expect(cuts).toBeGreaterThan(3);
  expect(view).toEqual(steady.view());
});

/** Reads the thread of a sub-agent: what it was told to do, and on demand what it did. */
import { useEffect, useState } from 'react';
import type { SubAgentRecord } from '../../contract/sub-agent.ts';
import { useApp, useCommands } from '../state/use-app.ts';

/** What was read, by thread: a card that comes into view again has its task at once. The oldest is forgotten first. */
const known = new Map<string, SubAgentRecord['tasks']>();
const MAX_KNOWN = 200;

/** Tasks as far as they were read; asks again while the sub-agent has had more turns than there are tasks. */
export function useAgentTasks(threadId: string, turns: number, isAsked: boolean): SubAgentRecord['tasks'] {
  const { readSubAgent } = useCommands();
  const id = useApp((state) => state.openId);
  const [, setCount] = useState(0);
  const tasks = known.get(threadId) ?? [];
  const isMissing = isAsked && id !== null && tasks.length < Math.max(1, turns);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn more is a reason to ask again
  useEffect(() => {
    if (!isMissing || id === null) return;
    let isOver = false;
    void readSubAgent(id, threadId, false).then((read) => {
      if (isOver || !read.ok) return;
      known.delete(threadId);
      known.set(threadId, read.value.tasks);
      for (const oldest of [...known.keys()].slice(0, -MAX_KNOWN)) known.delete(oldest);
      setCount((count) => count + 1);
    });
    return () => {
      isOver = true;
    };
  }, [id, threadId, turns, isMissing, readSubAgent]);
  return tasks;
}

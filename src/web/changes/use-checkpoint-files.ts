/** The files that a finished checkpoint changed. They never change, so one answer serves every time the row is mounted. */
import { useEffect, useState } from 'react';
import type { ChangedFile } from '../../contract/changes.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { useCommands } from '../state/use-app.ts';

const known = new Map<string, readonly ChangedFile[]>();
/** Rows of turns that a person scrolls through; the oldest answer is dropped first. */
const MAX_KNOWN = 200;

/** Null until they were read. */
export function useCheckpointFiles(id: ConversationId, checkpointId: string): readonly ChangedFile[] | null {
  const { readCheckpoint } = useCommands();
  const [read, setRead] = useState<{ readonly of: string; readonly files: readonly ChangedFile[] } | null>(null);
  useEffect(() => {
    if (known.has(checkpointId)) return;
    let isStale = false;
    void readCheckpoint(id, checkpointId).then((answer) => {
      if (!answer.ok) return;
      const { files } = answer.value;
      known.set(checkpointId, files);
      for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - MAX_KNOWN))) known.delete(oldest);
      if (!isStale) setRead({ of: checkpointId, files });
    });
    return () => {
      isStale = true;
    };
  }, [id, checkpointId, readCheckpoint]);
  return known.get(checkpointId) ?? (read?.of === checkpointId ? read.files : null);
}

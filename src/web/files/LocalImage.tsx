/** An image of the conversation's directory, shown by its bytes; what is no image stays a link to the file. */
import { useEffect, useState } from 'react';
import type { FileRef } from '../../core/files/find-file-refs.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { FileLink } from './FileText.tsx';
import styles from './LocalImage.module.css';

/** One at a time: a text may name thousands of images. */
let last: Promise<unknown> = Promise.resolve();

function inTurn<T>(ask: () => T): Promise<Awaited<T>> {
  const next = last.then(ask);
  last = next.catch(() => undefined);
  return Promise.resolve(next);
}

interface LocalImageProps {
  readonly file: FileRef;
  readonly alt: string;
}

export function LocalImage({ file, alt }: LocalImageProps) {
  const conversationId = useApp((state) => state.openId);
  const { readImage } = useCommands();
  const [source, setSource] = useState<string | null>(null);
  useEffect(() => {
    let isStale = false;
    if (conversationId === null) return;
    void inTurn(() => (isStale ? null : readImage(conversationId, file.path))).then((read) => {
      if (!isStale && read?.ok && read.value.media_type !== null)
        setSource(`data:${read.value.media_type};base64,${read.value.data}`);
    });
    return () => {
      isStale = true;
    };
  }, [conversationId, file.path, readImage]);
  return (
    <FileLink file={file}>
      {source === null ? alt || file.path : <img src={source} alt={alt} className={styles.image} />}
    </FileLink>
  );
}

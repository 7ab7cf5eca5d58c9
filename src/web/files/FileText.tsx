/**
 * Text in which the names of files are links. The links are plain elements without handlers of their own: one listener of the page opens
 * them (`use-file-links.ts`), so that a text with hundreds of names costs no more than its elements.
 */
import { Fragment, type ReactNode } from 'react';
import { type FileRef, findFileRefs } from '../../core/files/find-file-refs.ts';
import styles from './FileText.module.css';

/**
 * The text itself where it names no file. `isCode`: a bare `x.ts` is a file too. `base`: the directory relative names start from, where it
 * is not the conversation's.
 */
export function linkFiles(text: string, isCode: boolean, base?: string): ReactNode {
  const refs = findFileRefs(text, isCode);
  if (refs.length === 0) return text;
  return refs.map((ref, at) => (
    <Fragment key={ref.start}>
      {text.slice(at === 0 ? 0 : refs[at - 1]?.end, ref.start)}
      <FileLink file={ref} base={base}>
        {text.slice(ref.start, ref.end)}
      </FileLink>
      {at === refs.length - 1 && text.slice(ref.end)}
    </Fragment>
  ));
}

const FILE_HREF = '#file';

interface FileLinkProps {
  readonly file: FileRef;
  readonly base?: string | undefined;
  readonly className?: string | undefined;
  readonly name?: string;
  readonly children: ReactNode;
}

export function FileLink({ file, base, className = styles.link, name, children }: FileLinkProps) {
  const isRelative = !/^[/~]/.test(file.path);
  const path = base !== undefined && base !== '' && isRelative ? `${base}/${file.path}` : file.path;
  return (
    <a
      // Never followed: see `use-file-links.ts`.
      href={FILE_HREF}
      className={className}
      aria-label={name}
      title={name}
      data-file={path}
      data-line={file.line ?? undefined}
    >
      {children}
    </a>
  );
}

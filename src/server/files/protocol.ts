/** What the server and the thread with the index say to each other. */

export interface FileQuery {
  /** An absolute directory that exists. */
  readonly root: string;
  readonly query: string;
  readonly limit: number;
  /** Of several queries of one picker only the newest is answered in full. */
  readonly picker: string | null;
}

export interface FileAnswer {
  readonly files: readonly { readonly path: string; readonly type: 'file' | 'directory' }[];
  /** False while the tree is still being listed: ask again for more. */
  readonly isComplete: boolean;
  /** A newer query of the same picker came in between: nothing was searched. */
  readonly isStale: boolean;
  /** Paths known. */
  readonly indexed: number;
}

export interface ToIndex extends FileQuery {
  readonly id: number;
}

export interface FromIndex {
  readonly id: number;
  readonly answer: FileAnswer;
}

/** What the thread is started with. */
export interface IndexSetup {
  /** The ripgrep to list with; null: read the directories ourselves. */
  readonly rg: string | null;
}

/** Where a new work tree goes, and what its branch is called when nobody says so. Pure. */

/** Longer names help nobody, and a path has an end. */
const MAX_WORDS_CHARS = 40;
const MAX_FOLDER_CHARS = 80;

/** A branch from the first words of a task: `codex/fix-the-parser`. */
export function suggestBranch(words: string): string {
  const plain = words
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_WORDS_CHARS)
    .replace(/^-|-$/g, '');
  return `codex/${plain === '' ? 'task' : plain}`;
}

/** The folder beside the repository that has its work trees, and the folder of one branch in it. */
export function worktreePath(mainRoot: string, branch: string, isTaken: (path: string) => boolean): string {
  const root = mainRoot.replace(/\/(?:\.git)?$/, '');
  const folder = `${root}-worktrees/${folderName(branch)}`;
  for (let count = 1; ; count += 1) {
    const path = count === 1 ? folder : `${folder}-${count}`;
    if (!isTaken(path)) return path;
  }
}

/** A name that every file system takes and no program reads as an option. */
function folderName(branch: string): string {
  const plain = branch
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .slice(0, MAX_FOLDER_CHARS)
    .replace(/^[-.]+/, '');
  return plain === '' ? 'work' : plain;
}

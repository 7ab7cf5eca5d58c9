/** Undo of a turn in every situation of a repository that we know: the files are as before it, and the undo can be undone. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ChangesStand, openChangesStand } from '../../testing/changes-stand.ts';

interface Situation {
  readonly is: string;
  /** How the repository is before the turn. */
  readonly given?: (stand: ChangesStand) => unknown;
  /** What the agent does. */
  readonly turn: (stand: ChangesStand) => unknown;
  readonly isEmpty?: boolean;
}

/** The files are an hour old: git reads a file again that is as new as the index, and would find what we must find ourselves. */
const commit = ({ git, root }: ChangesStand) => {
  execFileSync('find', [
    root,
    '-name',
    '.git',
    '-prune',
    '-o',
    '-type',
    'f',
    '-exec',
    'touch',
    '-d',
    '1 hour ago',
    '{}',
    '+',
  ]);
  git(['add', '-A']);
  git(['commit', '-q', '-m', 'more']);
};
const rename = ({ root }: ChangesStand, from: string, to: string) => renameSync(join(root, from), join(root, to));

const SITUATIONS: readonly Situation[] = [
  { is: 'a file was added', turn: (s) => s.write('new.txt', 'new') },
  { is: 'a file was added in new folders', turn: (s) => s.write('x/y/z.txt', 'new') },
  { is: 'a tracked file was changed', turn: (s) => s.write('a.txt', 'two\n') },
  { is: 'an untracked file was changed', given: (s) => s.write('u', '1'), turn: (s) => s.write('u', '2') },
  { is: 'a tracked file was deleted', turn: (s) => s.remove('a.txt') },
  { is: 'an untracked file was deleted', given: (s) => s.write('u', '1'), turn: (s) => s.remove('u') },
  { is: 'a file was renamed', turn: (s) => rename(s, 'a.txt', 'b.txt') },
  { is: 'a file was renamed and changed', turn: (s) => [rename(s, 'a.txt', 'b.txt'), s.write('b.txt', 'one\ntwo\n')] },
  { is: 'a folder was renamed', given: (s) => s.write('d/1', '1'), turn: (s) => rename(s, 'd', 'e') },
  { is: 'only the case of a name was changed', turn: (s) => rename(s, 'a.txt', 'A.TXT') },
  { is: 'a file became a program', turn: (s) => chmodSync(join(s.root, 'a.txt'), 0o755) },
  {
    is: 'a program became a plain file',
    given: (s) => s.write('p', '#!', 0o755),
    turn: (s) => chmodSync(join(s.root, 'p'), 0o644),
  },
  { is: 'a symbolic link was added', turn: (s) => s.link('l', '/etc/passwd') },
  {
    is: 'a symbolic link was changed',
    given: (s) => s.link('l', 'a.txt'),
    turn: (s) => [s.remove('l'), s.link('l', 'nowhere')],
  },
  { is: 'a file became a symbolic link', turn: (s) => [s.remove('a.txt'), s.link('a.txt', '/etc/hosts')] },
  {
    is: 'a symbolic link became a file',
    given: (s) => s.link('l', 'a.txt'),
    turn: (s) => [s.remove('l'), s.write('l', 'text')],
  },
  { is: 'a file became a folder', turn: (s) => [s.remove('a.txt'), s.write('a.txt/inner', 'x')] },
  {
    is: 'a folder became a file',
    given: (s) => s.write('d/e/f', 'x'),
    turn: (s) => [s.remove('d'), s.write('d', 'file')],
  },
  {
    is: 'a folder became a symbolic link',
    given: (s) => [s.write('d/f', 'x'), commit(s)],
    turn: (s) => [s.remove('d'), s.link('d', '/tmp')],
  },
  { is: 'a file was emptied', turn: (s) => s.write('a.txt', '') },
  {
    is: 'a binary file was changed',
    given: (s) => s.write('b', Buffer.from([0, 255, 1])),
    turn: (s) => s.write('b', Buffer.from([0, 254])),
  },
  {
    is: 'lines end in CRLF and .gitattributes converts them',
    given: (s) => [s.write('.gitattributes', '*.bat text eol=crlf\n'), s.write('x.bat', 'one\r\ntwo\r\n'), commit(s)],
    turn: (s) => s.write('x.bat', 'one\r\nthree\r\n'),
  },
  {
    is: 'line ends are mixed in a file that git normalizes',
    given: (s) => [s.write('.gitattributes', '* text=auto\n'), s.write('m.txt', 'a\r\nb\nc\r\n'), commit(s)],
    turn: (s) => s.write('m.txt', 'x\n'),
  },
  {
    is: 'core.autocrlf is on',
    given: (s) => [s.git(['config', 'core.autocrlf', 'true']), s.write('w.txt', 'a\r\nb\r\n'), commit(s)],
    turn: (s) => s.write('w.txt', 'a\nb\r\n'),
  },
  {
    is: 'a file is encoded in UTF-16 by attribute',
    given: (s) => [
      s.write('.gitattributes', '*.u text working-tree-encoding=UTF-16LE\n'),
      s.write('x.u', Buffer.from('hi\n', 'utf16le')),
      commit(s),
    ],
    turn: (s) => s.write('x.u', Buffer.from('ho\n', 'utf16le')),
  },
  {
    is: 'a file has an expanded $Id$',
    given: (s) => [s.write('.gitattributes', '*.c ident\n'), s.write('x.c', '/* $Id: 123 $ */\n'), commit(s)],
    turn: (s) => s.write('x.c', '/* $Id: 456 $ */\nint x;\n'),
  },
  {
    is: 'files are LFS pointers and LFS is not installed',
    given: (s) => [
      s.write('.gitattributes', '*.psd filter=lfs diff=lfs merge=lfs -text\n'),
      s.write('x.psd', `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12\n`),
      commit(s),
    ],
    turn: (s) => s.write('x.psd', 'the real picture'),
  },
  {
    is: 'a file passes a filter of the repository',
    given: (s) => [
      s.git(['config', 'filter.up.clean', 'tr a-z A-Z']),
      s.write('.gitattributes', '*.up filter=up\n'),
      s.write('x.up', 'quiet'),
      commit(s),
    ],
    turn: (s) => s.write('x.up', 'louder'),
  },
  { is: 'there is no commit yet', isEmpty: true, given: (s) => s.write('f', '1'), turn: (s) => s.write('f', '2') },
  { is: 'there is no commit and no file yet', isEmpty: true, turn: (s) => s.write('f', '1') },
  { is: 'HEAD is detached', given: (s) => s.git(['checkout', '-q', '--detach']), turn: (s) => s.write('a.txt', '2') },
  {
    is: 'a merge has conflicts',
    given: (s) => {
      s.git(['checkout', '-q', '-b', 'side']);
      s.write('a.txt', 'side\n');
      commit(s);
      s.git(['checkout', '-q', 'main']);
      s.write('a.txt', 'main\n');
      commit(s);
      expect(() => s.git(['merge', 'side'])).toThrow();
    },
    turn: (s) => s.write('a.txt', 'resolved\n'),
  },
  {
    is: 'a rebase is in progress',
    given: (s) => {
      s.git(['checkout', '-q', '-b', 'side']);
      s.write('a.txt', 'side\n');
      commit(s);
      s.git(['checkout', '-q', 'main']);
      s.write('a.txt', 'main\n');
      commit(s);
      expect(() => s.git(['rebase', 'side'])).toThrow();
    },
    turn: (s) => [s.write('a.txt', 'both\n'), s.git(['add', 'a.txt'])],
  },
  { is: 'the agent commits', turn: (s) => [s.write('a.txt', '2'), s.write('n', 'n'), commit(s)] },
  { is: 'the agent stages', turn: (s) => [s.write('n', 'n'), s.git(['add', 'n'])] },
  { is: 'the agent stashes', given: (s) => s.write('a.txt', 'edited'), turn: (s) => s.git(['stash', '-q']) },
  { is: 'the agent resets', given: (s) => s.write('a.txt', 'edited'), turn: (s) => s.git(['reset', '-q', '--hard']) },
  { is: 'the agent cleans', given: (s) => s.write('u/v', 'work'), turn: (s) => s.git(['clean', '-q', '-fd']) },
  {
    is: 'the agent switches the branch',
    given: (s) => [
      s.git(['checkout', '-q', '-b', 'side']),
      s.write('s', 's'),
      commit(s),
      s.git(['checkout', '-q', 'main']),
    ],
    turn: (s) => s.git(['checkout', '-q', 'side']),
  },
  {
    is: 'the checkout is sparse',
    given: (s) => [s.write('in/f', '1'), s.write('out/f', '1'), commit(s), s.git(['sparse-checkout', 'set', 'in'])],
    turn: (s) => s.write('in/f', '2'),
  },
  {
    is: 'the index is sparse',
    given: (s) => [
      s.write('in/f', '1'),
      s.write('out/f', '1'),
      commit(s),
      s.git(['sparse-checkout', 'set', '--cone', '--sparse-index', 'in']),
    ],
    turn: (s) => s.write('in/f', '2'),
  },
  {
    is: 'the index is split',
    given: (s) => [s.git(['update-index', '--split-index']), s.write('z', '1'), s.git(['add', 'z'])],
    turn: (s) => s.write('z', '2'),
  },
  {
    is: 'a file is marked as assumed unchanged',
    given: (s) => [s.git(['update-index', '--assume-unchanged', 'a.txt']), s.write('a.txt', 'hidden edit')],
    turn: (s) => s.write('a.txt', 'overwritten'),
  },
  {
    is: 'a file was added with --intent-to-add',
    given: (s) => [s.write('n', '1'), s.git(['add', '-N', 'n'])],
    turn: (s) => s.write('n', '2'),
  },
  {
    is: 'an ignored file is tracked',
    given: (s) => [s.write('.gitignore', '*.log\n'), s.write('x.log', '1'), s.git(['add', '-f', 'x.log'])],
    turn: (s) => s.write('x.log', '2'),
  },
  {
    is: 'the agent ignores a file that was not',
    given: (s) => s.write('u', '1'),
    turn: (s) => [s.write('.gitignore', 'u\n'), s.write('u', '2')],
  },
  { is: 'a name has a newline', given: (s) => s.write('a\nb', '1'), turn: (s) => s.write('a\nb', '2') },
  { is: 'a name has quotation marks', given: (s) => s.write('"q"', '1'), turn: (s) => s.write('"q"', '2') },
  { is: 'a name begins with a dash', given: (s) => s.write('-rf', '1'), turn: (s) => s.write('-rf', '2') },
  {
    is: 'a name looks like pathspec magic',
    given: (s) => s.write(':(glob)*', '1'),
    turn: (s) => s.write(':(glob)*', '2'),
  },
  {
    is: 'a name is no UTF-8',
    given: (s) => s.write(Buffer.from([0x66, 0xff, 0xe9]), '1'),
    turn: (s) => s.write(Buffer.from([0x66, 0xff, 0xe9]), '2'),
  },
  {
    is: 'a name has a backslash and a tab',
    given: (s) => s.write('a\\b\tc', '1'),
    turn: (s) => s.write('a\\b\tc', '2'),
  },
  { is: 'a private file keeps its mode', given: (s) => s.write('p', '1', 0o600), turn: (s) => s.write('p', '2') },
];

test.each(SITUATIONS)('[CH10] undo, and undo of the undo, when $is', async ({ given, turn, isEmpty = false }) => {
  const stand = await openChangesStand({ isEmpty });
  await given?.(stand);
  const before = stand.tree();
  const checkpoint = await stand.turn(() => turn(stand));
  const after = stand.tree();
  expect(after).not.toEqual(before);
  const undone = await stand.mustUndo(checkpoint);
  expect(stand.tree()).toEqual(before);
  expect(undone.skipped).toEqual([]);
  if (undone.checkpoint !== null) {
    await stand.mustUndo(undone.checkpoint);
    expect(stand.tree()).toEqual(after);
  }
});

test('[CH10] the mode of a private file is the same after an undo', async () => {
  const stand = await openChangesStand();
  stand.write('p', '1', 0o600);
  const checkpoint = await stand.turn(() => stand.write('p', '2'));
  await stand.mustUndo(checkpoint);
  expect(statSync(join(stand.root, 'p')).mode & 0o777).toBe(0o600);
});

test('[CH11] ignored files are neither kept nor touched, also in a folder that an undo removes', async () => {
  const stand = await openChangesStand();
  stand.write('.gitignore', '*.o\n');
  const checkpoint = await stand.turn(() => [stand.write('d/x.c', 'c'), stand.write('d/x.o', 'o')]);
  await stand.mustUndo(checkpoint);
  expect(existsSync(join(stand.root, 'd/x.c'))).toBe(false);
  expect(readFileSync(join(stand.root, 'd/x.o'), 'utf8')).toBe('o');
});

test('[CH12] a file that was changed since is a conflict, and nothing is undone before a person has chosen', async () => {
  const stand = await openChangesStand();
  stand.write('b.txt', 'b');
  const checkpoint = await stand.turn(() => [stand.write('a.txt', 'agent'), stand.write('b.txt', 'agent')]);
  stand.write('a.txt', 'person');
  const before = stand.tree();
  const refused = await stand.undo(checkpoint);
  expect(refused).toMatchObject({ ok: false, error: { code: 'conflict', details: { files: ['a.txt'] } } });
  expect(stand.tree()).toEqual(before);
});

test.each([
  ['keep', { 'a.txt': 'file person', 'b.txt': 'file b' }],
  ['older', { 'a.txt': 'file one\n', 'b.txt': 'file b' }],
  ['both', { 'a.txt': 'file person', 'b.txt': 'file b', beside: 'file one\n' }],
] as const)('[CH12] the choice %s for a file that was changed since', async (choice, expected) => {
  const stand = await openChangesStand();
  stand.write('b.txt', 'b');
  const checkpoint = await stand.turn(() => [stand.write('a.txt', 'agent'), stand.write('b.txt', 'agent')]);
  stand.write('a.txt', 'person');
  const changed = stand.tree();
  const undone = await stand.mustUndo(checkpoint, { 'a.txt': choice });
  const tree = Object.entries(stand.tree()).map(([name, text]) => [
    /^a\.before-\w{4}\.txt$/.test(name) ? 'beside' : name,
    text,
  ]);
  expect(Object.fromEntries(tree)).toEqual(expected);
  if (undone.checkpoint === null) throw new Error('nothing was written');
  await stand.mustUndo(undone.checkpoint);
  expect(stand.tree()).toEqual(changed);
});

test('[CH12] a deleted file that the person made again is a conflict too', async () => {
  const stand = await openChangesStand();
  const checkpoint = await stand.turn(() => stand.remove('a.txt'));
  stand.write('a.txt', 'mine');
  expect(await stand.undo(checkpoint)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(stand.tree()).toEqual({ 'a.txt': 'file mine' });
});

test('[CH13] an undo writes through no symbolic link: a folder that became a link afterwards stays, and its target is not touched', async () => {
  const stand = await openChangesStand();
  stand.write('d/f', 'inner');
  const outside = join(stand.dir, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'f'), 'not yours');
  const checkpoint = await stand.turn(() => stand.write('d/f', 'agent'));
  rmSync(join(stand.root, 'd'), { recursive: true });
  symlinkSync(outside, join(stand.root, 'd'));
  const undone = await stand.mustUndo(checkpoint, { 'd/f': 'older' });
  expect(undone.skipped).toEqual([{ path: 'd/f', outcome: 'blocked' }]);
  expect(readFileSync(join(outside, 'f'), 'utf8')).toBe('not yours');
});

test('[CH14] a submodule keeps its checkout, and the undo says so', async () => {
  const stand = await openChangesStand();
  const library = join(stand.dir, 'library');
  mkdirSync(library);
  stand.git(['init', '-q', '-b', 'main'], library);
  stand.git(['commit', '-q', '--allow-empty', '-m', 'one'], library);
  stand.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'sub']);
  stand.git(['commit', '-q', '-m', 'sub']);
  const checkpoint = await stand.turn(() => {
    stand.git(['commit', '-q', '--allow-empty', '-m', 'two'], join(stand.root, 'sub'));
    stand.write('a.txt', 'agent');
  });
  const head = stand.git(['rev-parse', 'HEAD'], join(stand.root, 'sub'));
  const { steps } = await stand.mustUndo(checkpoint);
  expect(steps.map(({ path, action }) => `${path} ${action}`)).toEqual(['a.txt restore', 'sub not_kept']);
  expect(stand.git(['rev-parse', 'HEAD'], join(stand.root, 'sub'))).toBe(head);
  expect(readFileSync(join(stand.root, 'a.txt'), 'utf8')).toBe('one\n');
});

test('[CH10] in a linked work tree the files of that work tree are undone, and the other one is not touched', async () => {
  const stand = await openChangesStand();
  const linked = join(stand.dir, 'linked');
  stand.git(['worktree', 'add', '-q', linked, '-b', 'side']);
  stand.parts().cwds.set(`conv_${'a'.repeat(32)}`, linked);
  const checkpoint = await stand.turn(() => writeFileSync(join(linked, 'a.txt'), 'agent'));
  expect(checkpoint.root).toBe(linked);
  await stand.mustUndo(checkpoint);
  expect(readFileSync(join(linked, 'a.txt'), 'utf8')).toBe('one\n');
});

test('[CH10] a working directory below the top of the work tree: changes above it are undone too', async () => {
  const stand = await openChangesStand();
  stand.write('sub/b.txt', 'b');
  stand.parts().cwds.set(`conv_${'a'.repeat(32)}`, join(stand.root, 'sub'));
  const before = stand.tree();
  const checkpoint = await stand.turn(() => [stand.write('a.txt', 'agent'), stand.write('sub/b.txt', 'agent')]);
  await stand.mustUndo(checkpoint);
  expect(stand.tree()).toEqual(before);
});

test('[CH15] a file that a checkpoint left out is neither written nor deleted', async () => {
  const stand = await openChangesStand({ limits: { maxFileBytes: 100, maxNewBytes: 1_000 } });
  const checkpoint = await stand.turn(() => [stand.write('a.txt', 'x'.repeat(200)), stand.write('n', 'y'.repeat(200))]);
  const { steps } = await stand.mustUndo(checkpoint);
  expect(steps.map(({ path, action }) => `${path} ${action}`)).toEqual(['a.txt not_kept']);
  expect(Object.keys(stand.tree())).toEqual(['a.txt', 'n']);
});

test('[CH16] a restore brings back every file of the checkpoint and can be undone', async () => {
  const stand = await openChangesStand();
  const first = await stand.turn(() => stand.write('b.txt', 'agent'));
  await stand.turn(() => [
    stand.write('a.txt', 'later'),
    unlinkSync(join(stand.root, 'b.txt')),
    stand.write('c.txt', 'c'),
  ]);
  const later = stand.tree();
  const request = { conversationId: first.conversation_id, checkpoint: first, isTrial: false };
  const restored = await stand.parts().undo.restore({ ...request, side: 'after' });
  expect(stand.tree()).toEqual({ 'a.txt': 'file one\n', 'b.txt': 'file agent' });
  if (!restored.ok || restored.value.checkpoint === null) throw new Error(JSON.stringify(restored));
  await stand.mustUndo(restored.value.checkpoint);
  expect(stand.tree()).toEqual(later);
});

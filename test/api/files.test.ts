/** The list behind `@` and the choice of a directory, through the public surface. */
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
let id: string;
beforeAll(async () => {
  box = await openBox();
  for (const path of ['src/core/files', 'src/server', 'ignored', 'docs']) {
    await mkdir(join(box.project, path), { recursive: true });
  }
  const files = ['src/core/files/match.ts', 'src/server/main.ts', 'ignored/big.bin', 'docs/match.md', 'README.md'];
  for (const path of files) await writeFile(join(box.project, path), '');
  await writeFile(join(box.project, '.gitignore'), 'ignored/\n');
  await writeFile(join(box.dir, 'outside.txt'), '');
  await symlink(box.dir, join(box.project, 'link-out'));
  id = await box.create();
});
afterAll(() => box.close());

/** Asked until the whole tree is known. */
async function mention(query: string, limit = 30) {
  for (;;) {
    const answer = await box.must('mention', { conversation_id: id, query, limit });
    if (answer.is_complete) return answer;
  }
}

describe('the files behind @', () => {
  test('[FL1][FL2] the best match first, ignored files never', async () => {
    expect((await mention('match')).files).toEqual([
      { path: 'docs/match.md', type: 'file' },
      { path: 'src/core/files/match.ts', type: 'file' },
    ]);
    expect((await mention('big')).files).toEqual([]);
    expect((await mention('')).files.slice(0, 2)).toEqual([
      { path: 'README.md', type: 'file' },
      { path: '.gitignore', type: 'file' },
    ]);
  });

  test('[FL3] files, then directories, together no more than asked for', async () => {
    const { files } = await mention('s', 4);
    expect(files.map(({ type }) => type)).toEqual(['file', 'file', 'directory', 'directory']);
    expect(files.map(({ path }) => path.endsWith('/'))).toEqual([false, false, true, true]);
    expect((await mention('s', 1)).files).toHaveLength(1);
  });

  test('[FL4] nothing outside is named, whatever is asked', async () => {
    for (const query of [
      'outside',
      '../outside.txt',
      '/etc/passwd',
      '%2e%2e%2foutside',
      'link-out/outside',
      '..\\out',
    ]) {
      expect((await mention(query)).files).toEqual([]);
    }
  });

  test('[FL8] a picker’s older query does not hold up the newer one', async () => {
    const asked = ['m', 'ma', 'mat', 'match'].map((query) =>
      box.must('mention', { conversation_id: id, query, picker: 'p1' }),
    );
    const answers = await Promise.all(asked);
    expect(answers.at(-1)?.files.length).toBe(2);
    for (const answer of answers) expect(answer.is_stale ? answer.files : []).toEqual([]);
  });

  test('[FL12] without a conversation, below a directory that is named', async () => {
    const { files } = await box.must('mention', { cwd: join(box.project, 'src'), query: 'match' });
    expect(files).toEqual([{ path: 'core/files/match.ts', type: 'file' }]);
    for (const cwd of ['src', '/does/not/exist']) {
      expect(await box.call('mention', { cwd, query: 'match' })).toMatchObject({
        status: 400,
        body: { code: 'missing_cwd' },
      });
    }
  });

  test('[FL11] a directory that is gone is said so; nothing is run', async () => {
    const odd = join(box.dir, '$(touch pwned) ; id #');
    await mkdir(odd);
    await writeFile(join(odd, '`touch pwned`.ts'), '');
    const other = await box.create({ cwd: odd });
    const answer = await box.must('mention', { conversation_id: other, query: 'touch' });
    expect(answer.files).toEqual([{ path: '`touch pwned`.ts', type: 'file' }]);
    await rm(odd, { recursive: true });
    const gone = await box.call('mention', { conversation_id: other, query: 'x' });
    expect(gone).toMatchObject({ status: 400, body: { code: 'missing_cwd' } });
  });
});

describe('choosing a directory', () => {
  test('[FL10] directories of a path, and those that were worked in, newest first', async () => {
    const elsewhere = join(box.dir, 'elsewhere');
    const gone = join(box.dir, 'gone');
    for (const path of [elsewhere, gone]) await mkdir(path);
    await box.create({ cwd: gone });
    await box.create({ cwd: elsewhere });
    await rm(gone, { recursive: true });
    const listed = await box.must('directories', { path: box.project });
    expect(listed.directories.map(({ name }) => name)).toEqual(['docs', 'ignored', 'link-out', 'src']);
    expect(listed.parent).toBe(box.dir);
    expect(listed.recent[0]).toBe(elsewhere);
    expect(listed.recent).toContain(box.project);
    expect(listed.recent).not.toContain(gone);
    expect((await box.must('directories', {})).path).toBe(box.dir);
    expect((await box.must('directories', { path: '~/project/src' })).directories.map(({ path }) => path)).toEqual([
      join(box.project, 'src/core'),
      join(box.project, 'src/server'),
    ]);
  });

  test('[FL10] what cannot be listed is refused with a reason', async () => {
    expect(await box.call('directories', { path: '/no/such' })).toMatchObject({
      status: 400,
      body: { code: 'missing_cwd' },
    });
    expect(await box.call('directories', { path: 'src' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });
});

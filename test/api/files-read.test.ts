/** Files and images of a conversation's directory, read through the public surface: what is inside, and nothing else. */
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let box: Box;
let id: string;
beforeAll(async () => {
  box = await openBox();
  const { project, dir } = box;
  await mkdir(join(project, 'src'), { recursive: true });
  await writeFile(join(project, 'src/a.ts'), Array.from({ length: 30 }, (_, at) => `line ${at + 1}`).join('\n'));
  await writeFile(join(project, 'src/crlf.txt'), 'one\r\ntwo\r\n');
  await writeFile(join(project, 'wide.js'), `${'x'.repeat(3_000_000)}\nend\n`);
  await writeFile(join(project, 'program.bin'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]));
  await writeFile(join(project, 'picture.png'), PNG);
  await writeFile(join(project, 'lies.png'), '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
  await writeFile(join(dir, 'outside.txt'), 'secret');
  await symlink(join(dir, 'outside.txt'), join(project, 'link-out.txt'));
  await symlink(dir, join(project, 'link-dir'));
  await symlink(join(project, 'src/a.ts'), join(project, 'link-in.ts'));
  execFileSync('mkfifo', [join(project, 'pipe')]);
  id = await box.create();
});
afterAll(() => box.close());

const read = (path: string, more: { from_line?: number; limit?: number } = {}) =>
  box.call('readFile', { id, path, ...more });

test('[FL20] a file is read by lines, by a relative or absolute path, or through a link that stays inside', async () => {
  for (const path of [
    'src/a.ts',
    './src/../src/a.ts',
    join(box.project, 'src/a.ts'),
    'link-in.ts',
    '~/project/src/a.ts',
  ]) {
    const { body } = await read(path, { from_line: 11, limit: 2 });
    expect(body).toMatchObject({ kind: 'text', relative_path: 'src/a.ts', total_lines: 30, from_line: 11 });
    expect(body).toMatchObject({ lines: ['line 11', 'line 12'], is_cut: false });
  }
  expect((await read('src/crlf.txt')).body).toMatchObject({ lines: ['one', 'two'], total_lines: 2 });
  expect((await read('src/a.ts', { from_line: 99 })).body).toMatchObject({ lines: [], total_lines: 30 });
});

test('[FL20] the end of a path is enough where one file alone has it', async () => {
  for (;;) if ((await box.must('mention', { conversation_id: id, query: 'a.ts' })).is_complete) break;
  expect((await read('a.ts')).body).toMatchObject({ relative_path: 'src/a.ts' });
  expect((await read('b.ts')).body).toMatchObject({ code: 'not_found' });
});

test('[FL21] nothing outside the directory is read: no path, no link, no device, no folder of Signalbox or Codex', async () => {
  const outside = [
    '../outside.txt',
    join(box.dir, 'outside.txt'),
    '/etc/passwd',
    'link-out.txt',
    'link-dir/outside.txt',
  ];
  for (const path of [...outside, '~/outside.txt', '/proc/self/environ']) {
    expect([path, await read(path)]).toEqual([path, expect.objectContaining({ status: 403 })]);
    expect((await box.must('readImage', { id, path })).media_type).toBeNull();
  }
  for (const path of ['pipe', 'src', '.']) expect((await read(path)).body).toMatchObject({ code: 'invalid_request' });
  expect((await read('a\0b')).status).toBe(400);
  const wide = await box.create({ cwd: box.dir });
  expect((await box.call('readFile', { id: wide, path: 'outside.txt' })).status).toBe(200);
  for (const path of ['home/run/server.json', 'codex/config.toml', 'link/../home/run/server.json']) {
    expect((await box.call('readFile', { id: wide, path })).body).toMatchObject({ code: 'forbidden' });
  }
  const device = await box.create({ cwd: '/dev' });
  expect((await box.call('readFile', { id: device, path: 'null' })).body).toMatchObject({ code: 'forbidden' });
});

test('[FL22] what is no text is not sent as text, and one answer is bounded however long the file or a line is', async () => {
  expect((await read('program.bin')).body).toMatchObject({ kind: 'binary', lines: [], size: 7 });
  expect((await read('picture.png')).body).toMatchObject({ kind: 'image', lines: [] });
  const { body } = await read('wide.js');
  expect(body).toMatchObject({ total_lines: 2, is_cut: true });
  expect(JSON.stringify(body).length).toBeLessThan(20_000);
  await writeFile(join(box.project, 'huge.log'), 'first\n');
  await truncate(join(box.project, 'huge.log'), 3 * 1024 ** 3);
  const huge = await read('huge.log');
  expect(huge.body).toMatchObject({ kind: 'binary' });
});

test('[FL23] an image is sent with the type its bytes have; SVG and whatever is named like one are refused', async () => {
  const picture = await box.must('readImage', { id, path: 'picture.png' });
  expect(picture).toMatchObject({ media_type: 'image/png', reason: null });
  expect(Buffer.from(picture.data, 'base64').equals(PNG)).toBe(true);
  for (const path of ['lies.png', 'src/a.ts']) {
    expect(await box.must('readImage', { id, path })).toMatchObject({ media_type: null, data: '' });
  }
  await writeFile(join(box.project, 'large.png'), PNG);
  await truncate(join(box.project, 'large.png'), 9 * 1024 ** 2);
  expect(await box.must('readImage', { id, path: 'large.png' })).toMatchObject({ media_type: null, data: '' });
});
